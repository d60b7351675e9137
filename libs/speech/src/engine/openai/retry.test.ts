import { describe, expect, it } from 'vitest';
import { parseRetryAfter } from './retry.js';

describe('parseRetryAfter', () => {
  it('parses seconds and dates', () => {
    expect(parseRetryAfter('120')).toBe(120);
    const inAMinute = parseRetryAfter(new Date(Date.now() + 60_000).toUTCString()) ?? 0;
    expect(inAMinute).toBeGreaterThan(55);
    expect(inAMinute).toBeLessThanOrEqual(60);
    expect(parseRetryAfter('Wed, 21 Oct 2015 07:28:00 GMT')).toBe(0);
  });

  it.each(['soon', ''])('returns null for %j', (text) => {
    expect(parseRetryAfter(text)).toBeNull();
  });
});
