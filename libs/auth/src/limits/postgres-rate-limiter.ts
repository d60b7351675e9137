import { AskedTogether, poolOf } from '@app/database';
import type { QueryConfig } from 'pg';
import type { DataSource } from 'typeorm';
import { ANSWER_WITHIN_MS, type RateLimiter, type Ticket, WINDOW_MS } from './rate-limiter.js';

/** Each bucket is locked until the end: in one order, so that no two processes wait for each other. */
const TAKE = {
  name: 'take-rate-limits',
  text: `SELECT admitted, remaining, reset_ms AS "resetMs"
         FROM (SELECT * FROM unnest($1::text[], $2::integer[]) WITH ORDINALITY AS asked (bucket, most, place)
               ORDER BY bucket, place) asked
         CROSS JOIN LATERAL take_rate_limit(bucket, most, make_interval(secs => $3::float8 / 1000))
         ORDER BY place`,
};
/** What somebody is just counting waits for the next time: so nobody waits for this. */
const FORGET = `
  DELETE FROM rate_limit_hit WHERE (bucket, n) IN (
    SELECT bucket, n FROM rate_limit_hit WHERE at < clock_timestamp() - make_interval(secs => $1::float8 / 1000)
    FOR UPDATE SKIP LOCKED)`;
const FORGET_EVERY_MS = 10 * 60_000;

interface Asked {
  bucket: string;
  limit: number;
}

/** Counts in Postgres, on its clock, with the function `take_rate_limit` of the schema. */
export class PostgresRateLimiter implements RateLimiter {
  private readonly tickets = new AskedTogether((asked: readonly Asked[]) => this.takeAll(asked));
  private readonly forgetting: NodeJS.Timeout;

  constructor(
    private readonly dataSource: DataSource,
    private readonly windowMs = WINDOW_MS,
    private readonly answerMs = ANSWER_WITHIN_MS,
  ) {
    this.forgetting = setInterval(() => void this.forget().catch(() => undefined), FORGET_EVERY_MS).unref();
  }

  take(bucket: string, limit: number): Promise<Ticket> {
    return this.tickets.ask({ bucket, limit });
  }

  private async takeAll(asked: readonly Asked[]): Promise<Ticket[]> {
    const query: QueryConfig & { query_timeout: number } = {
      ...TAKE,
      values: [asked.map(({ bucket }) => bucket), asked.map(({ limit }) => limit), this.windowMs],
      query_timeout: this.answerMs,
    };
    const { rows } = await poolOf(this.dataSource).query<Ticket>(query);
    if (rows.length !== asked.length) throw new Error('take_rate_limit left requests without an answer.');
    return rows;
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
