import { readClientAddress, toClientNetwork } from '@app/auth';
import type { GuardedRequest } from './request-of-body.js';

/** Whose share of memory a JSON body uses. */
export interface JsonBodyMemoryOwner {
  owner: string;
  isAuthenticated: boolean;
}

/** An account has one share, however many keys and users. Without key and session the owner is the network of the client. */
export function getJsonBodyMemoryOwner(request: GuardedRequest): JsonBodyMemoryOwner {
  const { caller, session } = request;
  if (caller) return { owner: `account:${caller.accountId}`, isAuthenticated: true };
  if (session) return { owner: `user:${session.userId}`, isAuthenticated: true };
  return { owner: toClientNetwork(readClientAddress(request)), isAuthenticated: false };
}
