import { describe, expect, it } from 'vitest';
import type { UploadedPart } from './object-store.js';
import {
  toValidatedParts,
  assertPartsFollowPlan,
  computeMultipartEtag,
  createPartTooSmallError,
} from './multipart-parts.js';
import { InvalidPartsError } from './store-errors.js';

function rejection(parts: UploadedPart[]): Pick<InvalidPartsError, 'index' | 'field'> {
  try {
    toValidatedParts(parts);
  } catch (error) {
    if (error instanceof InvalidPartsError) return { index: error.index, field: error.field };
  }
  throw new Error('Nothing was rejected.');
}

describe('toValidatedParts', () => {
  it('accepts rising part numbers with gaps and removes the quotes of etags', () => {
    const parts = toValidatedParts([
      { partNumber: 1, etag: '"aa"' },
      { partNumber: 3, etag: 'bb' },
    ]);
    expect(parts).toEqual([
      { partNumber: 1, etag: 'aa' },
      { partNumber: 3, etag: 'bb' },
    ]);
  });

  it('names the first invalid part', () => {
    const part = (partNumber: number) => ({ partNumber, etag: 'aa' });
    expect(rejection([])).toEqual({ index: 0, field: 'upload' });
    expect(rejection([part(0)])).toEqual({ index: 0, field: 'part_number' });
    expect(rejection([part(1), part(10_001)])).toEqual({ index: 1, field: 'part_number' });
    expect(rejection([part(1), part(2), part(2)])).toEqual({ index: 2, field: 'part_number' });
    expect(rejection([part(2), part(1)])).toEqual({ index: 1, field: 'part_number' });
    expect(rejection([part(1.5)])).toEqual({ index: 0, field: 'part_number' });
  });
});

describe('part sizes', () => {
  const parts = [1, 2, 3].map((partNumber) => ({ partNumber, etag: 'aa' }));
  const refusal = (sizes: number[], partSize: number | null): unknown[] | null => {
    try {
      assertPartsFollowPlan(parts.slice(0, sizes.length), sizes, partSize);
      return null;
    } catch (error) {
      return error instanceof InvalidPartsError ? [error.index, error.field, error.reason] : [error];
    }
  };

  it('must equal the planned size, except for the last part', () => {
    for (const last of [0, 7, 10, 11]) expect(refusal([10, 10, last], 10)).toBeNull();
    expect(refusal([3], 10)).toBeNull();
    expect(refusal([1, 2, 3], null)).toBeNull();
    const said = (size: number) =>
      `Part 2 has ${size} bytes; every part but the last must have 10. PUT it again.`;
    for (const size of [0, 9, 11])
      expect(refusal([10, size, 10], 10)).toEqual([1, 'part_number', said(size)]);
    expect(refusal([9, 9, 9], 10)?.[0]).toBe(0);
  });

  it('are not looked at if a part before another is missing', () => {
    const [first, , third] = parts as [UploadedPart, UploadedPart, UploadedPart];
    expect(() => assertPartsFollowPlan([first, third], [10, 10], 10)).toThrow(InvalidPartsError);
    expect(() => assertPartsFollowPlan([third], [10], 10)).toThrow('Part 1 is missing');
    expect(() => assertPartsFollowPlan([first, third], [10, 10], null)).not.toThrow();
  });

  it('that the store rejects as too small are reported for the smallest part but the last', () => {
    expect(createPartTooSmallError(parts, [9, 4, 1])).toMatchObject({
      index: 1,
      field: 'part_number',
      reason: 'Part 2 has 4 bytes; every part but the last must be larger. PUT it again.',
    });
    expect(createPartTooSmallError(parts, [])).toMatchObject({ field: 'upload' });
  });
});

describe('computeMultipartEtag', () => {
  it('returns the md5 of the md5s, as S3 does', () => {
    const emptyMd5 = 'd41d8cd98f00b204e9800998ecf8427e';
    const etag = computeMultipartEtag('md5', [
      { partNumber: 1, etag: emptyMd5 },
      { partNumber: 2, etag: emptyMd5 },
    ]);
    expect(etag).toBe('5873dd45edd01f09c1ef2e7819369e8e-2');
  });
});
