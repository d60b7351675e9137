import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeRateLimiter, SHORT_WINDOW_MS } from '../../libs/auth/src/limits/rate-limiter.contract.js';
import { RedisRateLimiter } from '../../libs/auth/src/limits/redis-rate-limiter.js';
import { callCost } from './rate-limits.cost.js';
import { type PrivateRedis, startRedis } from '../support/redis.js';
import { addressOf, openWay, urlBy } from '../support/tcp-way.js';

let redis: PrivateRedis;
const open = (windowMs = SHORT_WINDOW_MS, prefix = 'zephyr') =>
  new RedisRateLimiter({ url: redis.url, prefix, windowMs });

beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.stop());

describeRateLimiter('Redis', () => ({ open }));

describe('Redis: rate limiter', () => {
  it('fails within its bound while Redis is frozen or gone, and counts again after', async () => {
    const limiter = open();
    const bucket = randomUUID();
    await limiter.take(bucket, 5);
    for (const [begin, end] of [
      [() => redis.freeze(), () => redis.thaw()],
      [() => redis.stop(), () => redis.restart()],
    ] as const) {
      await begin();
      const began = performance.now();
      await expect(limiter.take(bucket, 5)).rejects.toThrow();
      expect(performance.now() - began).toBeLessThan(1_500);
      await end();
      await expect
        .poll(() => limiter.take(bucket, 5).catch(() => null), { timeout: 10_000 })
        .toMatchObject({ admitted: true });
    }
    await limiter.close();
  });

  it('counts again after its connection was cut without a word', async () => {
    const way = await openWay(addressOf(redis.url));
    const limiter = new RedisRateLimiter({ url: urlBy(way, redis.url), prefix: 'cut' });
    const bucket = randomUUID();
    await limiter.take(bucket, 5);
    way.block();
    await expect(limiter.take(bucket, 5)).rejects.toThrow();
    await expect
      .poll(() => limiter.take(bucket, 5).catch(() => null), { timeout: 10_000 })
      .toMatchObject({ admitted: true });
    await limiter.close();
    way.close();
  });

  it('leaves nothing behind of a bucket that nobody asks for', async () => {
    const limiter = open(SHORT_WINDOW_MS, 'leaving');
    const admin = new Redis(redis.url);
    await limiter.take('a', 5);
    expect(await admin.keys('leaving:*')).toHaveLength(1);
    await expect.poll(() => admin.keys('leaving:*'), { timeout: 5_000 }).toHaveLength(0);
    admin.disconnect();
    await limiter.close();
  });

  it('costs one round trip', async () => {
    const limiter = open();
    const admin = new Redis(redis.url);
    const { limited, bare } = await callCost(
      (bucket) => limiter.take(bucket, 120),
      () => admin.ping(),
    );
    console.log(`Redis: take ${limited.toFixed(3)} ms, ping ${bare.toFixed(3)} ms`);
    expect(limited).toBeLessThan(bare * 5 + 1);
    admin.disconnect();
    await limiter.close();
  });
});
