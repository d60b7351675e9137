import { describeError } from '@app/errors';
import type { RateLimiter, RateLimitResult } from './rate-limiter.js';

const RETRY_INTERVAL_MS = 1_000;

export interface RateLimiterOutageObserver {
  /** Called once when the store becomes unavailable, and once when it recovers. */
  warn(message: string): void;
  /** Called for each request that was admitted without being counted. */
  onUncounted(): void;
}

/**
 * Admits requests uncounted while the store is unavailable. One request per second probes the store; the
 * others do not wait for it.
 */
export class FailOpenRateLimiter {
  private retryAt = 0;
  private unavailableSince: number | undefined;

  constructor(
    private readonly limiter: RateLimiter,
    private readonly observer: RateLimiterOutageObserver,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** @returns null if the store is unavailable */
  async take(bucket: string, limit: number): Promise<RateLimitResult | null> {
    if (this.now() < this.retryAt) return this.admitUncounted();
    if (this.unavailableSince !== undefined) this.retryAt = this.now() + RETRY_INTERVAL_MS;
    try {
      const result = await this.limiter.take(bucket, limit);
      this.markAvailable();
      return result;
    } catch (error) {
      this.markUnavailable(error);
      return this.admitUncounted();
    }
  }

  private admitUncounted(): null {
    this.observer.onUncounted();
    return null;
  }

  private markUnavailable(error: unknown): void {
    this.retryAt = this.now() + RETRY_INTERVAL_MS;
    if (this.unavailableSince !== undefined) return;
    this.unavailableSince = this.now();
    const reason = describeError(error);
    this.observer.warn(`rate limits cannot be counted, requests are accepted without counting: ${reason}`);
  }

  private markAvailable(): void {
    this.retryAt = 0;
    if (this.unavailableSince === undefined) return;
    const seconds = ((this.now() - this.unavailableSince) / 1000).toFixed(1);
    this.unavailableSince = undefined;
    this.observer.warn(`rate limits are counted again after ${seconds} s`);
  }
}
