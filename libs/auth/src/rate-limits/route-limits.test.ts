import { describe, expect, it } from 'vitest';
import {
  resolveApiRateLimits,
  isApiRateLimitName,
  resolveRateLimit,
  API_LIMITS_PER_MINUTE,
} from './route-limits.js';

describe('resolveRateLimit', () => {
  it.each([
    ['the usual limit', 'jobs.cancel', null, 1, 30],
    ['an override', 'jobs.cancel', { 'jobs.cancel': 500 }, 1, 500],
    ['an override of another route', 'jobs.cancel', { upload: 500 }, 1, 30],
    ['a factor', 'upload', undefined, 10, 1_200],
    ['a factor over an override', 'upload', { upload: 5 }, 10, 50],
  ] as const)('applies %s', (_, name, overrides, factor, expected) => {
    expect(resolveRateLimit(name, overrides, factor)).toBe(expected);
  });
});

describe('resolveApiRateLimits', () => {
  it('returns every limit with overrides and factor applied', () => {
    expect(resolveApiRateLimits({ 'jobs.cancel': 7 }, 2)).toMatchObject({
      'jobs.cancel': 14,
      'jobs.get': 240,
    });
    expect(Object.keys(resolveApiRateLimits(null, 1))).toEqual(Object.keys(API_LIMITS_PER_MINUTE));
  });

  it('returns null for every limit when limits are turned off', () => {
    expect(new Set(Object.values(resolveApiRateLimits({ upload: 5 }, 0)))).toEqual(new Set([null]));
  });
});

describe('isApiRateLimitName', () => {
  it.each([
    ['jobs.get', true],
    ['jobs', false],
    ['toString', false],
  ])('of "%s" is %s', (name, expected) => expect(isApiRateLimitName(name)).toBe(expected));
});
