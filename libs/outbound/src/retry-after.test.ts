import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { parseRetryAfterSeconds } from './retry-after.js';

describe('parseRetryAfterSeconds', () => {
  beforeEach(() => void vi.useFakeTimers({ now: Date.parse('2026-01-01T00:00:00Z') }));
  afterEach(() => void vi.useRealTimers());

  it.each([
    ['120', 120],
    [' 5 ', 5],
    ['Thu, 01 Jan 2026 00:01:30 GMT', 90],
    ['Wed, 31 Dec 2025 23:59:59 GMT', undefined],
    ['0', undefined],
    ['-1', undefined],
    ['soon', undefined],
    ['9'.repeat(10), undefined],
    [['1', '2'], undefined],
    [undefined, undefined],
  ])('reads %j as %s', (header, seconds) => {
    expect(parseRetryAfterSeconds(header)).toBe(seconds);
  });
});
