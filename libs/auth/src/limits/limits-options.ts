import type { LimiterWatch } from './guarded-limiter.js';
import type { LimitName } from './route-limits.js';

export const LIMITS_OPTIONS = Symbol('LIMITS_OPTIONS');
export const RATE_LIMITER = Symbol('RATE_LIMITER');

export interface LimitsOptions {
  /** Where requests are counted: all processes that share a store share the limits. */
  store: { kind: 'redis'; url: string; prefix: string } | { kind: 'postgres' };
  /** Multiplies every limit; 0 turns them off. */
  factor: number;
  watch: LimiterWatch;
  /** A request was refused. */
  onRefused?: (name: LimitName) => void;
}
