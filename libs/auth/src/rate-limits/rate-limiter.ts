export interface RateLimitResult {
  admitted: boolean;
  /** Number of further requests that would be admitted now. */
  remaining: number;
  /** Milliseconds until the oldest counted request leaves the window. */
  resetMs: number;
}

/**
 * An exact sliding window: no interval of its length has more than `limit` admitted requests, from all
 * processes together. Rejected requests do not count. Times are by the clock of the store.
 */
export interface RateLimiter {
  /** @param limit at least 1; it may differ between calls @throws if the store does not respond in time */
  take(bucket: string, limit: number): Promise<RateLimitResult>;
  close(): Promise<void>;
}

/** Limits are per minute. */
export const RATE_LIMIT_WINDOW_MS = 60_000;

export const RATE_LIMIT_STORE_TIMEOUT_MS = 500;
