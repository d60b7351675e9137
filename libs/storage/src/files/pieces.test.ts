import { describe, expect, it } from 'vitest';
import { slicesOf } from './pieces.js';

const PIECES = [
  { file: 'a', size: 10 },
  { file: 'b', size: 0 },
  { file: 'c', size: 5 },
];

describe('slicesOf', () => {
  it('covers whole pieces and skips empty ones', () => {
    expect(slicesOf(PIECES, 0, 14)).toEqual([
      { file: 'a', start: 0, end: 9 },
      { file: 'c', start: 0, end: 4 },
    ]);
  });

  it('cuts at both ends', () => {
    expect(slicesOf(PIECES, 9, 10)).toEqual([
      { file: 'a', start: 9, end: 9 },
      { file: 'c', start: 0, end: 0 },
    ]);
    expect(slicesOf(PIECES, 11, 12)).toEqual([{ file: 'c', start: 1, end: 2 }]);
  });

  it('is nothing for an empty object', () => {
    expect(slicesOf([{ file: 'a', size: 0 }], 0, -1)).toEqual([]);
  });
});
