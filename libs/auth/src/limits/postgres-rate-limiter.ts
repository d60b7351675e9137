import { poolOf } from '@app/database';
import type { QueryConfig } from 'pg';
import type { DataSource } from 'typeorm';
import { ANSWER_WITHIN_MS, type RateLimiter, type Ticket, WINDOW_MS } from './rate-limiter.js';

const TAKE = {
  name: 'take-rate-limit',
  text: `SELECT admitted, remaining, reset_ms AS "resetMs"
         FROM take_rate_limit($1, $2, make_interval(secs => $3::float8 / 1000))`,
};
const FORGET = `DELETE FROM rate_limit_hit WHERE at < clock_timestamp() - make_interval(secs => $1::float8 / 1000)`;
const FORGET_EVERY_MS = 10 * 60_000;

/** Counts in Postgres, on its clock, with the function `take_rate_limit` of the schema. */
export class PostgresRateLimiter implements RateLimiter {
  private readonly forgetting: NodeJS.Timeout;

  constructor(
    private readonly dataSource: DataSource,
    private readonly windowMs = WINDOW_MS,
    private readonly answerMs = ANSWER_WITHIN_MS,
  ) {
    this.forgetting = setInterval(() => void this.forget().catch(() => undefined), FORGET_EVERY_MS).unref();
  }

  async take(bucket: string, limit: number): Promise<Ticket> {
    const query: QueryConfig & { query_timeout: number } = {
      ...TAKE,
      values: [bucket, limit, this.windowMs],
      query_timeout: this.answerMs,
    };
    const { rows } = await poolOf(this.dataSource).query<Ticket>(query);
    const [ticket] = rows;
    if (!ticket) throw new Error('take_rate_limit answered nothing.');
    return ticket;
  }

  /** Removes what has left the window in buckets that nobody asks for any more. @returns how many hits. */
  async forget(): Promise<number> {
    const { rowCount } = await poolOf(this.dataSource).query(FORGET, [this.windowMs]);
    return rowCount ?? 0;
  }

  async close(): Promise<void> {
    clearInterval(this.forgetting);
  }
}
