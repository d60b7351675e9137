import { createParamDecorator, type ExecutionContext, SetMetadata } from '@nestjs/common';
import type { RateLimitOverrides } from '../rate-limits/route-limits.js';

/** The account scopes every access; the key is the unit of rate limits. */
export interface Caller {
  accountId: string;
  keyId: string;
  /** Override the default rate limits of the key. */
  limitOverrides?: RateLimitOverrides | null;
  /** As in the log and in the job that the request creates. */
  requestId?: string | undefined;
}

export interface RequestWithCaller {
  id?: string;
  headers: Record<string, string | string[] | undefined>;
  caller?: Caller;
}

export const PUBLIC_ROUTE_METADATA = 'auth:public';

/** The route needs no key. */
export const Public = () => SetMetadata(PUBLIC_ROUTE_METADATA, true);

export const BEARER_TOKEN_METADATA = 'auth:bearer';

/** For tools that support only `Authorization: Bearer <key>`. */
export const AllowBearerToken = () => SetMetadata(BEARER_TOKEN_METADATA, true);

/** Requires the guard. */
export const CurrentCaller = createParamDecorator((_: unknown, context: ExecutionContext): Caller => {
  const { caller } = context.switchToHttp().getRequest<RequestWithCaller>();
  if (!caller) throw new Error('CurrentCaller is used on a public route.');
  return caller;
});
