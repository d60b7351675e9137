import { BatchLoader } from '@app/database';
import type { DataSource } from 'typeorm';
import {
  deleteExpiredCountedRequests,
  type RateLimitBucketAndLimit,
  countRequestsAgainstLimits,
} from './counted-request.repository.js';
import {
  RATE_LIMIT_STORE_TIMEOUT_MS,
  type RateLimiter,
  type RateLimitResult,
  RATE_LIMIT_WINDOW_MS,
} from './rate-limiter.js';

const CLEANUP_INTERVAL_MS = 10 * 60_000;

/** Uses the clock of Postgres and the SQL function `take_rate_limit`. */
export class PostgresRateLimiter implements RateLimiter {
  private readonly loader = new BatchLoader((requests: readonly RateLimitBucketAndLimit[]) =>
    this.takeAll(requests),
  );
  private readonly cleanupTimer: NodeJS.Timeout;

  constructor(
    private readonly dataSource: DataSource,
    readonly windowMs = RATE_LIMIT_WINDOW_MS,
    readonly timeoutMs = RATE_LIMIT_STORE_TIMEOUT_MS,
  ) {
    this.cleanupTimer = setInterval(
      () => void this.deleteExpiredCountedRequests().catch(() => undefined),
      CLEANUP_INTERVAL_MS,
    ).unref();
  }

  take(bucket: string, limit: number): Promise<RateLimitResult> {
    return this.loader.load({ bucket, limit });
  }

  private async takeAll(requests: readonly RateLimitBucketAndLimit[]): Promise<RateLimitResult[]> {
    const rows = await countRequestsAgainstLimits(this.dataSource, requests, this);
    if (rows.length !== requests.length) throw new Error('take_rate_limit returned too few rows.');
    return rows;
  }

  /** Affects only unused buckets. @returns the number of deleted requests */
  deleteExpiredCountedRequests(): Promise<number> {
    return deleteExpiredCountedRequests(this.dataSource, this.windowMs);
  }

  async close(): Promise<void> {
    clearInterval(this.cleanupTimer);
  }
}
