import { BatchLoader } from '@app/database';
import type { DataSource } from 'typeorm';
import { deleteExpiredHits, type RateLimitRequest, takeRateLimits } from './rate-limit-hit.repository.js';
import { STORE_TIMEOUT_MS, type RateLimiter, type RateLimitResult, WINDOW_MS } from './rate-limiter.js';

const CLEANUP_INTERVAL_MS = 10 * 60_000;

/** Counts in Postgres, by its clock, with the SQL function `take_rate_limit`. */
export class PostgresRateLimiter implements RateLimiter {
  private readonly loader = new BatchLoader((asked: readonly RateLimitRequest[]) => this.takeAll(asked));
  private readonly cleanupTimer: NodeJS.Timeout;

  constructor(
    private readonly dataSource: DataSource,
    readonly windowMs = WINDOW_MS,
    readonly timeoutMs = STORE_TIMEOUT_MS,
  ) {
    this.cleanupTimer = setInterval(
      () => void this.deleteExpiredHits().catch(() => undefined),
      CLEANUP_INTERVAL_MS,
    ).unref();
  }

  take(bucket: string, limit: number): Promise<RateLimitResult> {
    return this.loader.load({ bucket, limit });
  }

  private async takeAll(asked: readonly RateLimitRequest[]): Promise<RateLimitResult[]> {
    const rows = await takeRateLimits(this.dataSource, asked, this);
    if (rows.length !== asked.length) throw new Error('take_rate_limit returned too few rows.');
    return rows;
  }

  /** Deletes hits outside the window from unused buckets. @returns the number of hits */
  deleteExpiredHits(): Promise<number> {
    return deleteExpiredHits(this.dataSource, this.windowMs);
  }

  async close(): Promise<void> {
    clearInterval(this.cleanupTimer);
  }
}
