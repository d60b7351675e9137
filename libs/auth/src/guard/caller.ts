import { createParamDecorator, type ExecutionContext, SetMetadata } from '@nestjs/common';
import type { AuditActor } from '../audit/audit-log.repository.js';
import type { MemberRole } from '../people/members/permissions.js';
import type { RequestWithAddress } from './client-address.js';
import type { RateLimitOverrides } from '../rate-limits/route-limits.js';

/** The account scopes every access. */
interface AccountCaller {
  accountId: string;
  /** Override the default rate limits. */
  limitOverrides?: RateLimitOverrides | null;
  /** Id of the request in the log and in the job that it creates. */
  requestId?: string | undefined;
  /** IP address of the client. */
  address?: string | undefined;
}

/** A program with an API key. */
export interface ApiKeyCaller extends AccountCaller {
  keyId: string;
  /** For the audit log. */
  keyName?: string;
  userId?: never;
}

/** A user of the console, who acts without a key. */
export interface UserCaller extends AccountCaller {
  keyId: null;
  userId: string;
  email: string;
  sessionId: string;
  role: MemberRole;
}

export type Caller = ApiKeyCaller | UserCaller;

/** The caller as the author of an audit event. */
export function toAuditActor(caller: Caller): AuditActor {
  const origin = { address: caller.address ?? null, requestId: caller.requestId ?? null };
  return caller.keyId === null
    ? { kind: 'user', id: caller.userId, name: caller.email, ...origin }
    : { kind: 'key', id: caller.keyId, name: caller.keyName ?? null, ...origin };
}

export interface RequestWithCaller extends RequestWithAddress {
  id?: string;
  headers: Record<string, string | string[] | undefined>;
  caller?: Caller;
}

export const SKIP_API_KEY_GUARD_METADATA_KEY = 'auth:skip-api-key-guard';

/** `ApiKeyGuard` lets requests of the route through; another guard may still reject them. */
export const SkipApiKeyGuard = () => SetMetadata(SKIP_API_KEY_GUARD_METADATA_KEY, true);

export const ALLOW_API_KEY_AS_BEARER_METADATA_KEY = 'auth:bearer';

/** For tools that support only `Authorization: Bearer <key>`. */
export const AllowApiKeyAsBearerToken = () => SetMetadata(ALLOW_API_KEY_AS_BEARER_METADATA_KEY, true);

/** Requires a guard that finds the caller. */
export const CurrentCaller = createParamDecorator((_: unknown, context: ExecutionContext): Caller => {
  const { caller } = context.switchToHttp().getRequest<RequestWithCaller>();
  if (!caller) throw new Error('CurrentCaller is used on a route for anyone.');
  return caller;
});
