import { describe, expect, it } from 'vitest';
import type { OpenAiRequestError } from './openai-client.js';
import { parseRetryAfterSeconds, throwIfTransient } from './retry.js';

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

describe('throwIfTransient', () => {
  it.each([
    ['certain', [429, 503]],
    ['possible', [502, 504, 520, 530]],
    ['none', [408, 409, 425, 500, 505, 511]],
  ])('an outage of the server is %s after %j', (outage, statuses) => {
    for (const status of statuses)
      for (const retryForbidden of [false, true])
        expect(catchTransient({ status, retryForbidden })).toMatchObject({ outage, retryForbidden });
  });

  it('a final response and exhausted credit are not transient', () => {
    expect(catchTransient({ status: 400 })).toBeNull();
    expect(catchTransient({ status: 429, text: '{"error":{"code":"insufficient_quota"}}' })).toBeNull();
  });

  function catchTransient(response: {
    status: number;
    retryForbidden?: boolean;
    text?: string;
  }): OpenAiRequestError | null {
    try {
      throwIfTransient({ retryAfter: null, retryForbidden: false, text: '', excerpt: '', ...response });
      return null;
    } catch (error) {
      return error as OpenAiRequestError;
    }
  }
});
