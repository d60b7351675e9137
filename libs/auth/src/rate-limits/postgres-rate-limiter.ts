import { BatchLoader, getPgPool } from '@app/database';
import type { QueryConfig } from 'pg';
import type { DataSource } from 'typeorm';
import { STORE_TIMEOUT_MS, type RateLimiter, type RateLimitResult, WINDOW_MS } from './rate-limiter.js';

/** Each bucket is locked until the end: in one order, so that no two processes wait for each other. */
const TAKE_RATE_LIMITS = {
  name: 'take-rate-limits',
  text: `SELECT admitted, remaining, reset_ms AS "resetMs"
         FROM (SELECT * FROM unnest($1::text[], $2::integer[]) WITH ORDINALITY AS asked (bucket, most, place)
               ORDER BY bucket, place) asked
         CROSS JOIN LATERAL take_rate_limit(bucket, most, make_interval(secs => $3::float8 / 1000))
         ORDER BY place`,
};
/** What somebody is just counting waits for the next time: so nobody waits for this. */
const DELETE_EXPIRED_HITS = `
  DELETE FROM rate_limit_hit WHERE (bucket, n) IN (
    SELECT bucket, n FROM rate_limit_hit WHERE at < clock_timestamp() - make_interval(secs => $1::float8 / 1000)
    FOR UPDATE SKIP LOCKED)`;
const CLEANUP_INTERVAL_MS = 10 * 60_000;

interface RateLimitRequest {
  bucket: string;
  limit: number;
}

/** Counts in Postgres, on its clock, with the function `take_rate_limit` of the schema. */
export class PostgresRateLimiter implements RateLimiter {
  private readonly loader = new BatchLoader((asked: readonly RateLimitRequest[]) => this.takeAll(asked));
  private readonly cleanupTimer: NodeJS.Timeout;

  constructor(
    private readonly dataSource: DataSource,
    private readonly windowMs = WINDOW_MS,
    private readonly timeoutMs = STORE_TIMEOUT_MS,
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
    const query: QueryConfig & { query_timeout: number } = {
      ...TAKE_RATE_LIMITS,
      values: [asked.map(({ bucket }) => bucket), asked.map(({ limit }) => limit), this.windowMs],
      query_timeout: this.timeoutMs,
    };
    const { rows } = await getPgPool(this.dataSource).query<RateLimitResult>(query);
    if (rows.length !== asked.length) throw new Error('take_rate_limit left requests without an answer.');
    return rows;
  }

  /** Removes what has left the window in buckets that nobody asks for any more. @returns how many hits. */
  async deleteExpiredHits(): Promise<number> {
    const { rowCount } = await getPgPool(this.dataSource).query(DELETE_EXPIRED_HITS, [this.windowMs]);
    return rowCount ?? 0;
  }

  async close(): Promise<void> {
    clearInterval(this.cleanupTimer);
  }
}
