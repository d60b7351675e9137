import { randomUUID } from 'node:crypto';
import { createDataSource, getPgPool, listSchemaDriftStatements } from '@app/database';
import type { DataSource } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PostgresRateLimiter } from '../../libs/auth/src/rate-limits/postgres-rate-limiter.js';
import {
  describeRateLimiterContract,
  LONG_TEST_WINDOW_MS,
  TEST_STORE_TIMEOUT_MS,
  SHORT_TEST_WINDOW_MS,
} from '../../libs/auth/src/rate-limits/rate-limiter.contract.js';
import { createMigratedDatabase } from '../support/migrated-database.js';
import type { ThrowawayDatabase } from '../support/postgres.js';
import { measureCallCost } from './rate-limits.cost.js';

let database: ThrowawayDatabase;
let processes: DataSource[];
let opened = 0;
const getProcess = (at: number): DataSource => {
  const dataSource = processes[at % processes.length];
  if (!dataSource) throw new Error('no such process');
  return dataSource;
};
const open = (windowMs = SHORT_TEST_WINDOW_MS) =>
  new PostgresRateLimiter(getProcess(opened++), windowMs, TEST_STORE_TIMEOUT_MS);

beforeAll(async () => {
  database = await createMigratedDatabase();
  processes = [1, 2].map((at) =>
    createDataSource({ url: database.url, poolSize: 12, applicationName: `limits-${at}` }),
  );
  for (const dataSource of processes) await dataSource.initialize();
});
afterAll(async () => {
  for (const dataSource of processes) await dataSource.destroy();
  await database.drop();
});

const countHits = async (bucket: string): Promise<number> => {
  const { rows } = await getPgPool(getProcess(0)).query<{ count: number }>(
    'SELECT count(*) FROM rate_limit_hit WHERE bucket = $1',
    [bucket],
  );
  return rows[0]?.count ?? Number.NaN;
};

describeRateLimiterContract('Postgres', () => ({ open }));

describe('PostgresRateLimiter', () => {
  it('the schema matches its entities', async () => {
    expect(await listSchemaDriftStatements(getProcess(0))).toEqual([]);
  });

  it('a bucket stores at most as many hits as its limit', async () => {
    const limiter = open();
    const bucket = randomUUID();
    const startedAt = performance.now();
    while (performance.now() - startedAt < SHORT_TEST_WINDOW_MS * 3) await limiter.take(bucket, 10);
    expect(await countHits(bucket)).toBeLessThanOrEqual(10);
    await limiter.close();
  });

  it('two processes never deadlock, whatever order they take buckets in', async () => {
    const limiters = [open(LONG_TEST_WINDOW_MS), open(LONG_TEST_WINDOW_MS)];
    const buckets = Array.from({ length: 60 }, () => randomUUID()).toSorted();
    const inOrder = [buckets, buckets.toReversed()];
    for (let round = 0; round < 10; round += 1)
      await Promise.all(
        limiters.flatMap((limiter, at) => inOrder[at]?.map((bucket) => limiter.take(bucket, 100)) ?? []),
      );
    expect(await limiters[0]?.take(buckets[0] ?? '', 100)).toMatchObject({ admitted: true, remaining: 79 });
    await Promise.all(limiters.map((limiter) => limiter.close()));
  });

  it('the hits of unused buckets are deleted', async () => {
    const limiter = open();
    const bucket = randomUUID();
    await limiter.take(bucket, 10);
    await expect
      .poll(async () => (await limiter.deleteExpiredCountedRequests(), countHits(bucket)), {
        timeout: TEST_STORE_TIMEOUT_MS,
      })
      .toBe(0);
    await limiter.close();
  });

  it('counting continues after a small step back of the clock and restarts after a large one', async () => {
    const limiter = open(LONG_TEST_WINDOW_MS);
    const takeAfterFutureHit = async (bucket: string, by: string) => {
      await getPgPool(getProcess(0)).query(
        'INSERT INTO rate_limit_hit (bucket, n, at) VALUES ($1, 1, now() + $2::interval)',
        [bucket, by],
      );
      return limiter.take(bucket, 2);
    };
    expect(await takeAfterFutureHit(randomUUID(), '300 ms')).toMatchObject({ admitted: true, remaining: 0 });
    expect(await takeAfterFutureHit(randomUUID(), '1 hour')).toMatchObject({ admitted: true, remaining: 1 });
    await limiter.close();
  });

  it('a call costs about one round trip', async () => {
    const limiter = open();
    const pool = getPgPool(getProcess(0));
    const { limited, baseline } = await measureCallCost(
      (bucket) => limiter.take(bucket, 120),
      () => pool.query({ name: 'nothing', text: 'SELECT 1' }),
    );
    console.log(`Postgres: take ${limited.toFixed(3)} ms, SELECT 1 ${baseline.toFixed(3)} ms`);
    expect(limited).toBeLessThan(baseline * 10 + 2);
    await limiter.close();
  });
});
