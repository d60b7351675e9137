import { getPgPool } from '@app/database';
import type { QueryConfig } from 'pg';
import type { DataSource } from 'typeorm';
import type { RateLimitResult } from './rate-limiter.js';

export interface RateLimitBucketAndLimit {
  bucket: string;
  limit: number;
}

/** Locks buckets in one order until the end of the transaction, so that processes cannot deadlock. */
const TAKE_RATE_LIMITS = {
  name: 'take-rate-limits',
  text: `SELECT admitted, remaining, reset_ms AS "resetMs"
         FROM (SELECT * FROM unnest($1::text[], $2::integer[]) WITH ORDINALITY AS requested (bucket, max_hits, ordinal)
               ORDER BY bucket, ordinal) requested
         CROSS JOIN LATERAL take_rate_limit(bucket, max_hits, make_interval(secs => $3::float8 / 1000))
         ORDER BY ordinal`,
};
/** Skips locked buckets until the next call, so that nothing waits for this statement. */
const DELETE_EXPIRED_COUNTED_REQUESTS = `
  DELETE FROM rate_limit_hit WHERE (bucket, n) IN (
    SELECT bucket, n FROM rate_limit_hit WHERE at < clock_timestamp() - make_interval(secs => $1::float8 / 1000)
    FOR UPDATE SKIP LOCKED)`;

/** In the order of the requests. */
export async function countRequestsAgainstLimits(
  dataSource: DataSource,
  requests: readonly RateLimitBucketAndLimit[],
  { windowMs, timeoutMs }: { windowMs: number; timeoutMs: number },
): Promise<RateLimitResult[]> {
  const query: QueryConfig & { query_timeout: number } = {
    ...TAKE_RATE_LIMITS,
    values: [requests.map(({ bucket }) => bucket), requests.map(({ limit }) => limit), windowMs],
    query_timeout: timeoutMs,
  };
  const { rows } = await getPgPool(dataSource).query<RateLimitResult>(query);
  return rows;
}

/** @returns the number of deleted requests */
export async function deleteExpiredCountedRequests(
  dataSource: DataSource,
  windowMs: number,
): Promise<number> {
  const { rowCount } = await getPgPool(dataSource).query(DELETE_EXPIRED_COUNTED_REQUESTS, [windowMs]);
  return rowCount ?? 0;
}
