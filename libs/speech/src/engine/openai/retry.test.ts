import { describe, expect, it } from 'vitest';
import { secondsOf } from './retry.js';

describe('Retry-After', () => {
  it('tells seconds or a date', () => {
    expect(secondsOf('120')).toBe(120);
    const inAMinute = secondsOf(new Date(Date.now() + 60_000).toUTCString()) ?? 0;
    expect(inAMinute).toBeGreaterThan(55);
    expect(inAMinute).toBeLessThanOrEqual(60);
    expect(secondsOf('Wed, 21 Oct 2015 07:28:00 GMT')).toBe(0);
  });

  it.each(['soon', ''])('%j tells nothing', (text) => {
    expect(secondsOf(text)).toBeNull();
  });
});
