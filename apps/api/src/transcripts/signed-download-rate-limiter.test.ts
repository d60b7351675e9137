import { expect, it } from 'vitest';
import { SignedDownloadRateLimiter } from './signed-download-rate-limiter.js';

it('a transcript is downloaded 120 times a minute by its URL, and others meanwhile', () => {
  const limit = new SignedDownloadRateLimiter();
  for (let count = 0; count < 120; count += 1) limit.count('a', 1_000);
  expect(() => limit.count('a', 31_000)).toThrow(
    expect.objectContaining({ status: 429, code: 'rate_limit_exceeded', retryAfter: 30 }) as Error,
  );
  limit.count('b', 31_000);
  limit.count('a', 61_000);
});
