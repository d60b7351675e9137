import { describe, expect, it } from 'vitest';
import { decideDeliveryRetry } from './retry-decision.js';

const backoff = [5, 30, 120];

describe('decideDeliveryRetry', () => {
  it.each([200, 201, 202, 204, 299])('treats %i as delivered, even on the last attempt', (statusCode) => {
    for (const tries of [1, 4])
      expect(decideDeliveryRetry({ statusCode }, tries, backoff).state).toBe('delivered');
  });

  it.each([300, 301, 302, 304, 307, 308, 400, 401, 404, 408, 410, 425, 429, 499])(
    'treats %i as final',
    (statusCode) => {
      expect(decideDeliveryRetry({ statusCode }, 1, backoff).state).toBe('failed');
    },
  );

  it.each([500, 502, 503, 504, 599, null])('retries %s up to four attempts', (statusCode) => {
    const states = [1, 2, 3, 4].map((tries) => decideDeliveryRetry({ statusCode }, tries, backoff).state);
    expect(states).toEqual(['pending', 'pending', 'pending', 'failed']);
  });

  it('waits 5, 30 and 120 seconds, plus up to a fifth', () => {
    const delays = (random: number) =>
      [1, 2, 3].map(
        (tries) => decideDeliveryRetry({ statusCode: 503 }, tries, backoff, () => random).delaySeconds,
      );
    expect(delays(0)).toEqual([5, 30, 120]);
    expect(delays(1)).toEqual([6, 36, 144]);
  });
});
