/** The result of a request to the rate limiter. */
export interface RateLimitResult {
  admitted: boolean;
  /** Number of further requests that would be admitted now. */
  remaining: number;
  /** Milliseconds until the oldest counted request leaves the window. */
  resetMs: number;
}

/**
 * Counts requests in a sliding window, exactly: no interval of the length of the window has more than `limit`
 * admitted requests, whatever number of processes counts. Rejected requests do not count. Times are by the clock
 * of the store.
 */
export interface RateLimiter {
  /**
   * Counts one request of a bucket.
   * @param limit at least 1; it may differ between calls
   * @throws if the store does not respond in time
   */
  take(bucket: string, limit: number): Promise<RateLimitResult>;
  close(): Promise<void>;
}

/** Limits are per minute. */
export const WINDOW_MS = 60_000;

/** Timeout of a call to the store. */
export const STORE_TIMEOUT_MS = 500;
