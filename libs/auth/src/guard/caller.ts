import { createParamDecorator, type ExecutionContext, SetMetadata } from '@nestjs/common';
import type { LimitOverrides } from '../rate-limits/route-limits.js';

/** The authenticated caller: its account scopes every access, and its key is the unit of rate limits. */
export interface Caller {
  accountId: string;
  keyId: string;
  /** Overrides of the default rate limits of the key. */
  limitOverrides?: LimitOverrides | null;
  /** The request id, as in the log and in the job that the request creates. */
  requestId?: string | undefined;
}

export interface RequestWithCaller {
  id?: string;
  headers: Record<string, string | string[] | undefined>;
  caller?: Caller;
}

export const PUBLIC_METADATA = 'auth:public';

/** Marks a route that needs no key. */
export const Public = () => SetMetadata(PUBLIC_METADATA, true);

export const BEARER_TOKEN_METADATA = 'auth:bearer';

/** Accepts the key also as `Authorization: Bearer <key>`, for tools that support only that. */
export const AllowBearerToken = () => SetMetadata(BEARER_TOKEN_METADATA, true);

/** Injects the caller that the guard authenticated. */
export const CurrentCaller = createParamDecorator((_: unknown, context: ExecutionContext): Caller => {
  const { caller } = context.switchToHttp().getRequest<RequestWithCaller>();
  if (!caller) throw new Error('CurrentCaller is used on a public route.');
  return caller;
});
