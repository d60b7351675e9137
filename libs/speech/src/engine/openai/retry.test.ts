import { describe, expect, it } from 'vitest';
import { parseRetryAfterSeconds } from './retry.js';

describe('parseRetryAfter', () => {
  it('parses seconds and dates', () => {
    expect(parseRetryAfterSeconds('120')).toBe(120);
    const inAMinute = parseRetryAfterSeconds(new Date(Date.now() + 60_000).toUTCString()) ?? 0;
    expect(inAMinute).toBeGreaterThan(55);
    expect(inAMinute).toBeLessThanOrEqual(60);
    expect(parseRetryAfterSeconds('Wed, 21 Oct 2015 07:28:00 GMT')).toBe(0);
  });

  it.each(['soon', ''])('returns null for %j', (text) => {
    expect(parseRetryAfterSeconds(text)).toBeNull();
  });
});
