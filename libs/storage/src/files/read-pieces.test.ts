import { describe, expect, it } from 'vitest';
import { sliceObjectPieceFiles } from './read-pieces.js';

const PIECES = [
  { file: 'a', size: 10 },
  { file: 'b', size: 0 },
  { file: 'c', size: 5 },
];

describe('sliceObjectPieceFiles', () => {
  it('returns whole pieces and skips empty ones', () => {
    expect(sliceObjectPieceFiles(PIECES, 0, 14)).toEqual([
      { file: 'a', start: 0, end: 9 },
      { file: 'c', start: 0, end: 4 },
    ]);
  });

  it('trims the first and the last piece', () => {
    expect(sliceObjectPieceFiles(PIECES, 9, 10)).toEqual([
      { file: 'a', start: 9, end: 9 },
      { file: 'c', start: 0, end: 0 },
    ]);
    expect(sliceObjectPieceFiles(PIECES, 11, 12)).toEqual([{ file: 'c', start: 1, end: 2 }]);
  });

  it('returns nothing for an empty object', () => {
    expect(sliceObjectPieceFiles([{ file: 'a', size: 0 }], 0, -1)).toEqual([]);
  });
});
