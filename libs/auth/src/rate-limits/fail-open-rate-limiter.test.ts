import { beforeEach, describe, expect, it } from 'vitest';
import { FailOpenRateLimiter } from './fail-open-rate-limiter.js';
import type { RateLimiter } from './rate-limiter.js';

const TICKET = { admitted: true, remaining: 1, resetMs: 10 };

let isUnavailable: boolean;
let storeCalls: number;
let now: number;
let warnings: string[];
let unchecked: number;
let limiter: FailOpenRateLimiter;

beforeEach(() => {
  [isUnavailable, storeCalls, now, warnings, unchecked] = [false, 0, 0, [], 0];
  const store: RateLimiter = {
    take: async () => {
      storeCalls += 1;
      if (isUnavailable) throw new Error('connection refused');
      return TICKET;
    },
    close: async () => undefined,
  };
  const watch = {
    warn: (message: string) => void warnings.push(message),
    onUncounted: () => void (unchecked += 1),
  };
  limiter = new FailOpenRateLimiter(store, watch, () => now);
});

describe('FailOpenRateLimiter', () => {
  it('returns the result of the store', async () => {
    expect(await limiter.take('a', 2)).toEqual(TICKET);
    expect(warnings).toEqual([]);
  });

  it('admits requests uncounted while the store is unavailable, warns once and counts them', async () => {
    isUnavailable = true;
    for (let request = 0; request < 5; request += 1) expect(await limiter.take('a', 2)).toBeNull();
    expect(warnings).toEqual([expect.stringContaining('connection refused')]);
    expect(unchecked).toBe(5);
  });

  it('tries an unavailable store only once a second', async () => {
    isUnavailable = true;
    for (now = 0; now < 3_000; now += 100) await limiter.take('a', 2);
    expect(storeCalls).toBe(3);
  });

  it('lets only one request at a time wait for an unavailable store', async () => {
    isUnavailable = true;
    await limiter.take('a', 2);
    now = 1_500;
    await Promise.all([limiter.take('a', 2), limiter.take('a', 2), limiter.take('a', 2)]);
    expect(storeCalls).toBe(2);
  });

  it('counts requests again when the store recovers, and logs the recovery', async () => {
    isUnavailable = true;
    await limiter.take('a', 2);
    isUnavailable = false;
    now = 1_500;
    expect(await limiter.take('a', 2)).toEqual(TICKET);
    expect(await limiter.take('a', 2)).toEqual(TICKET);
    expect(warnings).toEqual([expect.anything(), 'rate limits are counted again after 1.5 s']);
  });
});
