import type { RateLimiter, Ticket } from './rate-limiter.js';

const REST_MS = 1_000;

export interface LimiterWatch {
  /** Said once when the limiter is lost and once when it is found again. */
  warn(message: string): void;
  /** A request that was admitted without being counted. */
  unchecked(): void;
}

/**
 * A limiter that never stands in the way: while its store is away requests are admitted uncounted. One request a
 * second looks whether the store is back; the others do not wait for it.
 */
export class GuardedLimiter {
  private restUntil = 0;
  private lostAt: number | undefined;

  constructor(
    private readonly limiter: RateLimiter,
    private readonly watch: LimiterWatch,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Null when the limiter does not know. */
  async take(bucket: string, limit: number): Promise<Ticket | null> {
    if (this.now() < this.restUntil) return this.admitUnchecked();
    if (this.lostAt !== undefined) this.restUntil = this.now() + REST_MS;
    try {
      const ticket = await this.limiter.take(bucket, limit);
      this.found();
      return ticket;
    } catch (error) {
      this.lost(error);
      return this.admitUnchecked();
    }
  }

  private admitUnchecked(): null {
    this.watch.unchecked();
    return null;
  }

  private lost(error: unknown): void {
    this.restUntil = this.now() + REST_MS;
    if (this.lostAt !== undefined) return;
    this.lostAt = this.now();
    const reason = error instanceof Error ? error.message : String(error);
    this.watch.warn(`rate limits cannot be counted, requests are accepted without counting: ${reason}`);
  }

  private found(): void {
    this.restUntil = 0;
    if (this.lostAt === undefined) return;
    const seconds = ((this.now() - this.lostAt) / 1000).toFixed(1);
    this.lostAt = undefined;
    this.watch.warn(`rate limits are counted again after ${seconds} s`);
  }
}
