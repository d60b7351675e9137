import { describe, expect, it } from 'vitest';
import { MAX_ANSWER_EXCERPT_BYTES, excerptAnswer } from './webhook-exchange.js';

describe('excerptAnswer', () => {
  it('keeps a short answer', () => {
    expect(excerptAnswer(Buffer.from('größer <b>'))).toEqual({ body: 'größer <b>', isTruncated: false });
    expect(excerptAnswer(Buffer.alloc(0))).toEqual({ body: '', isTruncated: false });
  });

  it('keeps the start of a long answer, without half of a character', () => {
    const { body, isTruncated } = excerptAnswer(Buffer.from(`a${'ß'.repeat(MAX_ANSWER_EXCERPT_BYTES)}`));
    expect(isTruncated).toBe(true);
    expect(body).toBe(`a${'ß'.repeat(MAX_ANSWER_EXCERPT_BYTES / 2 - 1)}`);
  });

  it('keeps what is no text as replacement characters', () => {
    expect(excerptAnswer(Buffer.from([0xff, 0x41]))).toEqual({ body: '\ufffdA', isTruncated: false });
  });
});
