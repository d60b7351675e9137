import type { IncomingMessage } from 'node:http';
import { readClientAddress, type RequestWithCaller, toClientNetwork } from '@app/auth';
import type { FastifyRequest } from 'fastify';

/** Whose share of memory a JSON body uses. */
export interface JsonBodyMemoryOwner {
  owner: string;
  isAuthenticated: boolean;
}

type AuthenticatedRequest = FastifyRequest & RequestWithCaller & { session?: { userId: string } };

const requests = new WeakMap<IncomingMessage, FastifyRequest>();

/** Nest passes only the stream of the body to pipes; what the guards know of the caller is in the request. */
export function rememberRequestOfBody(body: IncomingMessage, request: FastifyRequest): void {
  requests.set(body, request);
}

/**
 * An account has one share, however many keys and users. Without key and session the owner is the network of the client.
 * Call after the guards.
 */
export function getJsonBodyMemoryOwner(body: IncomingMessage): JsonBodyMemoryOwner {
  const request = requests.get(body) as AuthenticatedRequest | undefined;
  if (!request) throw new Error('The body does not belong to a request of the application.');
  const { caller, session } = request;
  if (caller) return { owner: `account:${caller.accountId}`, isAuthenticated: true };
  if (session) return { owner: `user:${session.userId}`, isAuthenticated: true };
  return { owner: toClientNetwork(readClientAddress(request)), isAuthenticated: false };
}
