import { describe, expect, it } from 'vitest';
import { parseByteRange } from './parse-byte-range.js';

const info = { key: 'a', size: 10, etag: 'e', contentType: 'a/b', modifiedAt: new Date(0) };

describe('parseByteRange', () => {
  it.each([
    ['bytes=0-0', { start: 0, end: 0 }],
    ['bytes=2-99', { start: 2, end: 9 }],
    ['bytes=9-', { start: 9, end: 9 }],
    ['bytes=-4', { start: 6, end: 9 }],
    ['bytes=-99', { start: 0, end: 9 }],
    ['bytes=-0', { start: 10, end: 9 }],
    ['bytes=10-', { start: 10, end: 9 }],
    ['bytes=5-4', undefined],
    ['bytes=-', undefined],
    ['bytes=0-1,3-4', undefined],
    ['bytes=+1-2', undefined],
    ['items=0-1', undefined],
    [undefined, undefined],
  ])('parses %j', (range, expected) => {
    expect(parseByteRange({ range }, info)).toEqual(expected);
  });

  it('ignores the range unless If-Range matches the object', () => {
    expect(parseByteRange({ range: 'bytes=0-0', 'if-range': '"e"' }, info)).toEqual({ start: 0, end: 0 });
    expect(parseByteRange({ range: 'bytes=0-0', 'if-range': '"f"' }, info)).toBeUndefined();
    expect(parseByteRange({ range: 'bytes=0-0', 'if-range': 'W/"e"' }, info)).toBeUndefined();
  });
});
