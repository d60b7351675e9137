import type { RateLimiterOutageObserver } from './fail-open-rate-limiter.js';

export const RATE_LIMITS_OPTIONS_TOKEN = Symbol('RATE_LIMITS_OPTIONS_TOKEN');
export const RATE_LIMITER_TOKEN = Symbol('RATE_LIMITER_TOKEN');

export interface RateLimitsOptions {
  /** Processes that share a store share the limits. */
  store: { kind: 'redis'; url: string; prefix: string } | { kind: 'postgres' };
  /** Multiplies every limit; 0 turns them off. */
  factor: number;
  observer: RateLimiterOutageObserver;
  onRejected?: (name: string) => void;
}
