import { ServiceError } from '@app/errors';
import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { RequestWithCaller } from '../guard/caller.js';
import { GuardedLimiter } from './guarded-limiter.js';
import { LIMITED } from './limited.js';
import { LIMITS_OPTIONS, type LimitsOptions, RATE_LIMITER } from './limits-options.js';
import type { RateLimiter, Ticket } from './rate-limiter.js';
import { type LimitName, limitOf } from './route-limits.js';

interface Headers {
  header(name: string, value: string | number): unknown;
}

/** Counts requests of routes that are `@Limited`; to be bound after the guard that finds the caller. */
@Injectable()
export class RateLimitGuard implements CanActivate {
  private readonly limiter: GuardedLimiter;

  constructor(
    private readonly reflector: Reflector,
    @Inject(RATE_LIMITER) limiter: RateLimiter,
    @Inject(LIMITS_OPTIONS) private readonly options: LimitsOptions,
  ) {
    this.limiter = new GuardedLimiter(limiter, options.watch);
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const name = this.reflector.get<LimitName | undefined>(LIMITED, context.getHandler());
    const http = context.switchToHttp();
    const { caller } = http.getRequest<RequestWithCaller>();
    if (name === undefined || caller === undefined || this.options.factor === 0) return true;
    const limit = limitOf(name, caller.limits, this.options.factor);
    const ticket = await this.limiter.take(`${caller.keyId}:${name}`, limit);
    if (ticket === null) return true;
    tell(http.getResponse<Headers>(), limit, ticket);
    if (!ticket.admitted) this.refuse(name, limit, seconds(ticket));
    return true;
  }

  private refuse(name: LimitName, limit: number, retryAfter: number): never {
    this.options.onRefused?.(name);
    throw new ServiceError('rate_limit_exceeded', {
      detail: `This key may make ${limit} requests a minute here. Try again in ${retryAfter} s.`,
      retryAfter,
    });
  }
}

function tell(reply: Headers, limit: number, ticket: Ticket): void {
  reply.header('ratelimit-limit', limit);
  reply.header('ratelimit-remaining', ticket.remaining);
  reply.header('ratelimit-reset', seconds(ticket));
}

/** Rounded up: who waits that long is not too early. */
function seconds({ resetMs }: Ticket): number {
  return Math.max(1, Math.ceil(resetMs / 1_000));
}
