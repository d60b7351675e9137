import { ServiceError } from '@app/errors';
import { type CanActivate, type ExecutionContext, Inject, Injectable, SetMetadata } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { RequestWithCaller } from '../guard/caller.js';
import type { SessionWithUserAndRole } from '../people/sessions/session.repository.js';
import { FailOpenRateLimiter } from './fail-open-rate-limiter.js';
import {
  RATE_LIMITS_OPTIONS_TOKEN,
  type RateLimitsOptions,
  RATE_LIMITER_TOKEN,
} from './rate-limits-options.js';
import type { RateLimiter, RateLimitResult } from './rate-limiter.js';
import { type ConsoleRateLimitName, type ApiRateLimitName, resolveRateLimit } from './route-limits.js';

export const RATE_LIMIT_METADATA_KEY = 'auth:limited';

/** Limits the requests to a route per key or user, under this name. */
export const RateLimited = (name: ApiRateLimitName | ConsoleRateLimitName) =>
  SetMetadata(RATE_LIMIT_METADATA_KEY, name);

interface ReplyHeaders {
  header(name: string, value: string | number): unknown;
}

/** Users who are a member of no account, or whose session lacks a second factor, have a session only. */
type RequestOfCallerOrSession = RequestWithCaller & { session?: Pick<SessionWithUserAndRole, 'userId'> };

/** Bind it after the guard that authenticates the caller. */
@Injectable()
export class RateLimitGuard implements CanActivate {
  private readonly limiter: FailOpenRateLimiter;

  constructor(
    private readonly reflector: Reflector,
    @Inject(RATE_LIMITER_TOKEN) limiter: RateLimiter,
    @Inject(RATE_LIMITS_OPTIONS_TOKEN) private readonly options: RateLimitsOptions,
  ) {
    this.limiter = new FailOpenRateLimiter(limiter, options.observer);
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const name = this.reflector.get<ApiRateLimitName | ConsoleRateLimitName | undefined>(
      RATE_LIMIT_METADATA_KEY,
      context.getHandler(),
    );
    const http = context.switchToHttp();
    const { caller, session } = http.getRequest<RequestOfCallerOrSession>();
    const userId = session?.userId ?? caller?.userId;
    const owner = caller?.keyId ?? (userId === undefined ? null : `user:${userId}`);
    if (name === undefined || owner === null || this.options.factor === 0) return true;
    const limit = resolveRateLimit(name, caller?.limitOverrides, this.options.factor);
    const result = await this.limiter.take(`${owner}:${name}`, limit);
    if (result === null) return true;
    setRateLimitHeaders(http.getResponse<ReplyHeaders>(), limit, result);
    if (!result.admitted) this.reject(name, limit, caller?.keyId ?? null, secondsUntilReset(result));
    return true;
  }

  private reject(name: string, limit: number, keyId: string | null, retryAfter: number): never {
    this.options.onRejected?.(name);
    throw new ServiceError('rate_limit_exceeded', {
      detail: `${keyId === null ? 'You' : 'This key'} may make ${limit} requests a minute here. Try again in ${retryAfter} s.`,
      retryAfter,
    });
  }
}

function setRateLimitHeaders(reply: ReplyHeaders, limit: number, result: RateLimitResult): void {
  reply.header('ratelimit-limit', limit);
  reply.header('ratelimit-remaining', result.remaining);
  reply.header('ratelimit-reset', secondsUntilReset(result));
}

/** Rounded up, so that a client that waits this long is not too early. */
function secondsUntilReset({ resetMs }: RateLimitResult): number {
  return Math.max(1, Math.ceil(resetMs / 1_000));
}
