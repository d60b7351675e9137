import type { RateLimiterObserver } from './fail-open-rate-limiter.js';

export const RATE_LIMITS_OPTIONS = Symbol('RATE_LIMITS_OPTIONS');
export const RATE_LIMITER = Symbol('RATE_LIMITER');

export interface RateLimitsOptions {
  /** Processes that share a store share the limits. */
  store: { kind: 'redis'; url: string; prefix: string } | { kind: 'postgres' };
  /** Multiplies every limit; 0 turns them off. */
  factor: number;
  observer: RateLimiterObserver;
  onRejected?: (name: string) => void;
}
