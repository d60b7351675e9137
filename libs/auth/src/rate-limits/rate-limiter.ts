/** What a request was told by the limiter. */
export interface RateLimitResult {
  admitted: boolean;
  /** Requests that would still be admitted now. */
  remaining: number;
  /** Milliseconds until the oldest counted request leaves the window, and there is room for one more. */
  resetMs: number;
}

/**
 * Counts requests in a rolling window, exactly: in no span of a window's length, wherever it begins, are more than
 * `limit` admitted, whatever number of processes asks. Requests that were refused do not count.
 * Time is the store's, never the process's.
 */
export interface RateLimiter {
  /**
   * Asks for one request of a bucket.
   * @param limit at least 1; it may differ from call to call
   * @throws when the store does not answer in time
   */
  take(bucket: string, limit: number): Promise<RateLimitResult>;
  close(): Promise<void>;
}

/** Milliseconds: limits are stated per minute. */
export const WINDOW_MS = 60_000;

/** Milliseconds that a store has for an answer. */
export const STORE_TIMEOUT_MS = 500;
