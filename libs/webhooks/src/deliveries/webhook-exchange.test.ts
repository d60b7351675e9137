import { describe, expect, it } from 'vitest';
import { MAX_RESPONSE_EXCERPT_BYTES, toResponseExcerpt } from './webhook-exchange.js';

describe('toResponseExcerpt', () => {
  it('keeps a short answer', () => {
    expect(toResponseExcerpt(Buffer.from('größer <b>'))).toEqual({ body: 'größer <b>', isTruncated: false });
    expect(toResponseExcerpt(Buffer.alloc(0))).toEqual({ body: '', isTruncated: false });
  });

  it('keeps the start of a long response, without half of a character', () => {
    const { body, isTruncated } = toResponseExcerpt(
      Buffer.from(`a${'ß'.repeat(MAX_RESPONSE_EXCERPT_BYTES)}`),
    );
    expect(isTruncated).toBe(true);
    expect(body).toBe(`a${'ß'.repeat(MAX_RESPONSE_EXCERPT_BYTES / 2 - 1)}`);
  });

  it('keeps what is no text as replacement characters', () => {
    expect(toResponseExcerpt(Buffer.from([0xff, 0x41]))).toEqual({ body: '\ufffdA', isTruncated: false });
  });
});
