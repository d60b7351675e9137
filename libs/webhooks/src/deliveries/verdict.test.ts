import { describe, expect, it } from 'vitest';
import { judge } from './verdict.js';

const backoff = [5, 30, 120];

describe('judge', () => {
  it.each([200, 201, 202, 204, 299])('%i is an acknowledgement, even on the last attempt', (statusCode) => {
    for (const tries of [1, 4]) expect(judge({ statusCode }, tries, backoff).state).toBe('delivered');
  });

  it.each([300, 301, 302, 304, 307, 308, 400, 401, 404, 408, 410, 425, 429, 499])(
    '%i is final',
    (statusCode) => {
      expect(judge({ statusCode }, 1, backoff).state).toBe('failed');
    },
  );

  it.each([500, 502, 503, 504, 599, null])('%s is tried four times in all', (statusCode) => {
    const states = [1, 2, 3, 4].map((tries) => judge({ statusCode }, tries, backoff).state);
    expect(states).toEqual(['pending', 'pending', 'pending', 'failed']);
  });

  it('waits 5, 30 and 120 seconds, and up to a fifth more', () => {
    const delays = (random: number) =>
      [1, 2, 3].map((tries) => judge({ statusCode: 503 }, tries, backoff, () => random).delaySeconds);
    expect(delays(0)).toEqual([5, 30, 120]);
    expect(delays(1)).toEqual([6, 36, 144]);
  });
});
