import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RateLimiter } from './rate-limiter.js';

/** Short enough for a test to wait for its end. */
export const SHORT_TEST_WINDOW_MS = 600;
/** Does not end during a test on a slow machine. */
export const LONG_TEST_WINDOW_MS = 60_000;
/** Suffices on a slow machine. */
export const TEST_STORE_TIMEOUT_MS = 20_000;

export interface RateLimiterFactory {
  /** Creates a limiter with separate connections and the timeout `TEST_STORE_TIMEOUT_MS`. */
  open(windowMs: number): RateLimiter;
}

interface Attempt {
  sentAt: number;
  receivedAt: number;
  admitted: boolean;
}

export function describeRateLimiterContract(name: string, store: () => RateLimiterFactory): void {
  describe(`${name}: rate limiter`, () => {
    let firstLimiter: RateLimiter;
    let secondLimiter: RateLimiter;
    let shortWindowLimiter: RateLimiter;
    let otherShortWindowLimiter: RateLimiter;

    beforeAll(() => {
      [firstLimiter, secondLimiter] = [store().open(LONG_TEST_WINDOW_MS), store().open(LONG_TEST_WINDOW_MS)];
      [shortWindowLimiter, otherShortWindowLimiter] = [
        store().open(SHORT_TEST_WINDOW_MS),
        store().open(SHORT_TEST_WINDOW_MS),
      ];
    });
    afterAll(() =>
      Promise.all(
        [firstLimiter, secondLimiter, shortWindowLimiter, otherShortWindowLimiter].map((limiter) =>
          limiter.close(),
        ),
      ),
    );

    it('a bucket counts down, then rejects, and reports when it admits again', async () => {
      const bucket = randomUUID();
      const tickets = [];
      for (let request = 0; request < 5; request += 1) tickets.push(await firstLimiter.take(bucket, 3));
      expect(tickets.map(({ admitted }) => admitted)).toEqual([true, true, true, false, false]);
      expect(tickets.map(({ remaining }) => remaining)).toEqual([2, 1, 0, 0, 0]);
      for (const { resetMs } of tickets) {
        expect(resetMs).toBeGreaterThan(0);
        expect(resetMs).toBeLessThanOrEqual(LONG_TEST_WINDOW_MS);
      }
    });

    it('buckets do not affect each other', async () => {
      const [a, b] = [randomUUID(), randomUUID()];
      await firstLimiter.take(a, 1);
      expect(await firstLimiter.take(a, 1)).toMatchObject({ admitted: false });
      expect(await firstLimiter.take(b, 1)).toMatchObject({ admitted: true });
    });

    it('exactly the limit is admitted of many concurrent requests from two processes', async () => {
      for (let round = 0; round < 5; round += 1) {
        const bucket = randomUUID();
        const calls = Array.from({ length: 200 }, (_, at) =>
          (at % 2 ? firstLimiter : secondLimiter).take(bucket, 20),
        );
        const results = await Promise.all(calls);
        expect(results.filter(({ admitted }) => admitted)).toHaveLength(20);
      }
    });

    it('every sliding window admits at most the limit, and rejects only when the limit is reached', async () => {
      const bucket = randomUUID();
      const limit = 7;
      const attempts: Attempt[] = [];
      const startedAt = performance.now();
      const isLate = () => performance.now() - startedAt > TEST_STORE_TIMEOUT_MS;
      while (attempts.filter((attempt) => attempt.admitted).length < limit * 4 && !isLate()) {
        const sentAt = performance.now();
        const { admitted } = await (attempts.length % 2 ? shortWindowLimiter : otherShortWindowLimiter).take(
          bucket,
          limit,
        );
        attempts.push({ sentAt, receivedAt: performance.now(), admitted });
      }
      expect(isLate()).toBe(false);
      const admitted = attempts.filter((attempt) => attempt.admitted);
      const spans = admitted
        .slice(limit)
        .map(({ receivedAt }, at) => receivedAt - (admitted[at]?.sentAt ?? Number.NaN));
      // The store counts between request and response, so these spans are at least its own.
      expect(Math.min(...spans)).toBeGreaterThanOrEqual(SHORT_TEST_WINDOW_MS - 1);
      for (const rejected of attempts.filter((attempt) => !attempt.admitted)) {
        const admittedBefore = admitted.filter(
          ({ sentAt, receivedAt }) =>
            sentAt < rejected.receivedAt && receivedAt > rejected.sentAt - SHORT_TEST_WINDOW_MS - 1,
        );
        expect(admittedBefore.length).toBeGreaterThanOrEqual(limit);
      }
    });

    it('a rejected request does not count against the limit', async () => {
      const bucket = randomUUID();
      const began = performance.now();
      let admittedAgain = await shortWindowLimiter.take(bucket, 1);
      do admittedAgain = await shortWindowLimiter.take(bucket, 1);
      while (!admittedAgain.admitted && performance.now() - began < TEST_STORE_TIMEOUT_MS);
      expect(admittedAgain.admitted).toBe(true);
      expect(performance.now() - began).toBeGreaterThanOrEqual(SHORT_TEST_WINDOW_MS - 1);
    });

    it('a lowered or raised limit applies to the next request', async () => {
      const bucket = randomUUID();
      for (let request = 0; request < 5; request += 1) await firstLimiter.take(bucket, 5);
      const lowered = await firstLimiter.take(bucket, 2);
      expect(lowered).toMatchObject({ admitted: false, remaining: 0 });
      expect(lowered.resetMs).toBeGreaterThan(0);
      expect(await firstLimiter.take(bucket, 8)).toMatchObject({ admitted: true, remaining: 2 });
    });

    it('the duration of a call does not grow with the limit', async () => {
      const [small, large] = await medians(firstLimiter, 10, 5_000);
      expect(large).toBeLessThan(small * 4 + 1);
    });
  });
}

/** Milliseconds of a call for each of two limits, in turns, after 1,000 calls of a bucket with that limit. */
async function medians(limiter: RateLimiter, ...limits: [number, number]): Promise<[number, number]> {
  const series = limits.map((limit) => ({ limit, bucket: randomUUID(), times: [] as number[] }));
  for (const { limit, bucket } of series)
    for (let batch = 0; batch < 10; batch += 1)
      await Promise.all(Array.from({ length: 100 }, () => limiter.take(bucket, limit)));
  for (let call = 0; call < 101; call += 1)
    for (const { limit, bucket, times } of series) {
      const began = performance.now();
      await limiter.take(bucket, limit);
      times.push(performance.now() - began);
    }
  const [small, large] = series.map(({ times }) => times.toSorted((a, b) => a - b)[50] ?? Number.NaN);
  return [small ?? Number.NaN, large ?? Number.NaN];
}
