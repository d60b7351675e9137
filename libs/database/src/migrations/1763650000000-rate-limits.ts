import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Hits of a bucket are numbered without gaps, so the hits in a window are counted by subtraction, at a cost
 * that does not grow with the limit. The advisory lock serializes requests of one bucket until the commit
 * makes the hit visible.
 */
const TAKE = `
CREATE FUNCTION take_rate_limit(
  bucket_ text, limit_ integer, window_ interval,
  OUT admitted boolean, OUT remaining integer, OUT reset_ms integer
) LANGUAGE plpgsql SET enable_seqscan TO off AS $function$
DECLARE
  now_ timestamptz;
  newest rate_limit_hit;
  oldest_n bigint;
  taken bigint;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('rate_limit:' || bucket_, 0));
  SELECT * INTO newest FROM rate_limit_hit WHERE bucket = bucket_ ORDER BY n DESC LIMIT 1;
  now_ := clock_timestamp();
  IF newest.at - now_ > window_ THEN
    -- The clock was set back by more than a window: what it said before says nothing any more.
    DELETE FROM rate_limit_hit WHERE bucket = bucket_;
    newest := NULL;
  ELSIF newest.at > now_ THEN
    now_ := newest.at;
  END IF;
  SELECT n INTO oldest_n FROM rate_limit_hit WHERE bucket = bucket_ AND at > now_ - window_ ORDER BY n LIMIT 1;
  DELETE FROM rate_limit_hit WHERE bucket = bucket_ AND n < COALESCE(oldest_n, newest.n + 1);
  taken := COALESCE(newest.n - oldest_n + 1, 0);
  admitted := taken < limit_;
  IF admitted THEN
    newest := (bucket_, COALESCE(newest.n, 0) + 1, now_);
    INSERT INTO rate_limit_hit (bucket, n, at) VALUES (newest.bucket, newest.n, newest.at);
    oldest_n := COALESCE(oldest_n, newest.n);
    taken := taken + 1;
  END IF;
  remaining := GREATEST(limit_ - taken, 0);
  -- Where a limit was lowered more hits may be kept than it admits: the room comes when the last that counts leaves.
  SELECT ceil(extract(epoch FROM at + window_ - now_) * 1000) INTO reset_ms FROM rate_limit_hit
    WHERE bucket = bucket_ AND n = GREATEST(oldest_n, newest.n - limit_ + 1);
END
$function$`;

const UP = [
  `ALTER TABLE "api_key" ADD "rate_limits" jsonb`,
  `CREATE UNLOGGED TABLE "rate_limit_hit" (
    "bucket" text NOT NULL,
    "n" bigint NOT NULL,
    "at" timestamptz(6) NOT NULL,
    CONSTRAINT "rate_limit_hit_pk" PRIMARY KEY ("bucket", "n")
  )`,
  TAKE,
];

export class RateLimits1763650000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION take_rate_limit');
    await runner.query('DROP TABLE "rate_limit_hit"');
    await runner.query('ALTER TABLE "api_key" DROP COLUMN "rate_limits"');
  }
}
