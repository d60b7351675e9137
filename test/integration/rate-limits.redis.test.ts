import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  describeRateLimiterContract,
  TEST_STORE_TIMEOUT_MS,
  SHORT_TEST_WINDOW_MS,
} from '../../libs/auth/src/rate-limits/rate-limiter.contract.js';
import { RedisRateLimiter } from '../../libs/auth/src/rate-limits/redis-rate-limiter.js';
import { measureCallCost } from './rate-limits.cost.js';
import { type PrivateRedis, startRedis } from '../support/redis.js';
import { parseEndpoint, startFaultProxy, urlThroughProxy } from '../support/fault-proxy.js';

let redis: PrivateRedis;
const open = (windowMs: number, prefix = 'zephyr') =>
  new RedisRateLimiter({ url: redis.url, prefix, windowMs, timeoutMs: TEST_STORE_TIMEOUT_MS });

beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.stop());

/** Retries until the store responds, because its timeout is short for a busy machine. */
const expectAdmitted = (limiter: RedisRateLimiter, bucket: string) =>
  expect
    .poll(() => limiter.take(bucket, 5).catch(() => null), { timeout: TEST_STORE_TIMEOUT_MS })
    .toMatchObject({ admitted: true });

describeRateLimiterContract('Redis', () => ({ open }));

describe('RedisRateLimiter', () => {
  it('calls fail within their timeout while Redis is frozen or stopped, and succeed afterwards', async () => {
    const limiter = new RedisRateLimiter({ url: redis.url, prefix: 'away', windowMs: SHORT_TEST_WINDOW_MS });
    const bucket = randomUUID();
    await expectAdmitted(limiter, bucket);
    for (const [begin, end] of [
      [() => redis.freeze(), () => redis.thaw()],
      [() => redis.stop(), () => redis.restart()],
    ] as const) {
      await begin();
      const startedAt = performance.now();
      await expect(limiter.take(bucket, 5)).rejects.toThrow();
      // The timeout is half a second; the rest allows for a busy machine.
      expect(performance.now() - startedAt).toBeLessThan(5_000);
      await end();
      await expectAdmitted(limiter, bucket);
    }
    await limiter.close();
  });

  it('counting continues after the connection does not respond', async () => {
    const proxy = await startFaultProxy(parseEndpoint(redis.url));
    const limiter = new RedisRateLimiter({ url: urlThroughProxy(proxy, redis.url), prefix: 'cut' });
    const bucket = randomUUID();
    await expectAdmitted(limiter, bucket);
    proxy.dropTraffic();
    await expect(limiter.take(bucket, 5)).rejects.toThrow();
    await expectAdmitted(limiter, bucket);
    await limiter.close();
    proxy.close();
  });

  it('the key of an unused bucket expires', async () => {
    const limiter = open(SHORT_TEST_WINDOW_MS * 4, 'leaving');
    const admin = new Redis(redis.url);
    await limiter.take('a', 5);
    expect(await admin.keys('leaving:*')).toHaveLength(1);
    await expect.poll(() => admin.keys('leaving:*'), { timeout: TEST_STORE_TIMEOUT_MS }).toHaveLength(0);
    admin.disconnect();
    await limiter.close();
  });

  it('a call costs about one round trip', async () => {
    const limiter = open(SHORT_TEST_WINDOW_MS);
    const admin = new Redis(redis.url);
    const { limited, baseline } = await measureCallCost(
      (bucket) => limiter.take(bucket, 120),
      () => admin.ping(),
    );
    console.log(`Redis: take ${limited.toFixed(3)} ms, ping ${baseline.toFixed(3)} ms`);
    expect(limited).toBeLessThan(baseline * 5 + 1);
    admin.disconnect();
    await limiter.close();
  });
});
