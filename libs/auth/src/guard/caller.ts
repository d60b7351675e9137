import { createParamDecorator, type ExecutionContext, SetMetadata } from '@nestjs/common';
import type { LimitOverrides } from '../rate-limits/route-limits.js';

/** Who is calling: the account that everything is scoped to, and the key that limits are counted on. */
export interface Caller {
  accountId: string;
  keyId: string;
  /** Where the key's limits are not the usual ones. */
  limitOverrides?: LimitOverrides | null;
  /** Of the request it makes: as in the log, and kept with the job that it creates. */
  requestId?: string | undefined;
}

export interface RequestWithCaller {
  /** The request id. */
  id?: string;
  headers: Record<string, string | string[] | undefined>;
  caller?: Caller;
}

export const PUBLIC_METADATA = 'auth:public';

/** The route answers without a key. */
export const Public = () => SetMetadata(PUBLIC_METADATA, true);

export const BEARER_TOKEN_METADATA = 'auth:bearer';

/** The key may also come as `Authorization: Bearer <key>`, for tools that know no other way. */
export const AllowBearerToken = () => SetMetadata(BEARER_TOKEN_METADATA, true);

/** The caller that the guard found. */
export const CurrentCaller = createParamDecorator((_: unknown, context: ExecutionContext): Caller => {
  const { caller } = context.switchToHttp().getRequest<RequestWithCaller>();
  if (!caller) throw new Error('CurrentCaller used on a route that asks for no key.');
  return caller;
});
