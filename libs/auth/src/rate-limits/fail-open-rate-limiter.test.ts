import { beforeEach, describe, expect, it } from 'vitest';
import { FailOpenRateLimiter } from './fail-open-rate-limiter.js';
import type { RateLimiter } from './rate-limiter.js';

const TICKET = { admitted: true, remaining: 1, resetMs: 10 };

let away: boolean;
let asked: number;
let now: number;
let warnings: string[];
let unchecked: number;
let limiter: FailOpenRateLimiter;

beforeEach(() => {
  [away, asked, now, warnings, unchecked] = [false, 0, 0, [], 0];
  const store: RateLimiter = {
    take: async () => {
      asked += 1;
      if (away) throw new Error('connection refused');
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
  it('passes tickets on', async () => {
    expect(await limiter.take('a', 2)).toEqual(TICKET);
    expect(warnings).toEqual([]);
  });

  it('admits uncounted while the store is away, says so once, and counts it', async () => {
    away = true;
    for (let request = 0; request < 5; request += 1) expect(await limiter.take('a', 2)).toBeNull();
    expect(warnings).toEqual([expect.stringContaining('connection refused')]);
    expect(unchecked).toBe(5);
  });

  it('asks a store that is away once a second only', async () => {
    away = true;
    for (now = 0; now < 3_000; now += 100) await limiter.take('a', 2);
    expect(asked).toBe(3);
  });

  it('does not let requests wait together for a store that does not answer', async () => {
    away = true;
    await limiter.take('a', 2);
    now = 1_500;
    await Promise.all([limiter.take('a', 2), limiter.take('a', 2), limiter.take('a', 2)]);
    expect(asked).toBe(2);
  });

  it('counts again when the store is back, and says so', async () => {
    away = true;
    await limiter.take('a', 2);
    away = false;
    now = 1_500;
    expect(await limiter.take('a', 2)).toEqual(TICKET);
    expect(await limiter.take('a', 2)).toEqual(TICKET);
    expect(warnings).toEqual([expect.anything(), 'rate limits are counted again after 1.5 s']);
  });
});
