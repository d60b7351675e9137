import { describe, expect, it } from 'vitest';
import type { UploadedPart } from './object-store.js';
import { checkParts, combinedEtag } from './parts.js';
import { PartsRejected } from './store-errors.js';

function rejection(parts: UploadedPart[]): Pick<PartsRejected, 'index' | 'field'> {
  try {
    checkParts(parts);
  } catch (error) {
    if (error instanceof PartsRejected) return { index: error.index, field: error.field };
  }
  throw new Error('Nothing was rejected.');
}

describe('checkParts', () => {
  it('takes rising numbers with gaps and bares the etags', () => {
    const parts = checkParts([
      { partNumber: 1, etag: '"aa"' },
      { partNumber: 3, etag: 'bb' },
    ]);
    expect(parts).toEqual([
      { partNumber: 1, etag: 'aa' },
      { partNumber: 3, etag: 'bb' },
    ]);
  });

  it('names the first part at fault', () => {
    const part = (partNumber: number) => ({ partNumber, etag: 'aa' });
    expect(rejection([])).toEqual({ index: 0, field: 'upload' });
    expect(rejection([part(0)])).toEqual({ index: 0, field: 'part_number' });
    expect(rejection([part(1), part(10_001)])).toEqual({ index: 1, field: 'part_number' });
    expect(rejection([part(1), part(2), part(2)])).toEqual({ index: 2, field: 'part_number' });
    expect(rejection([part(2), part(1)])).toEqual({ index: 1, field: 'part_number' });
    expect(rejection([part(1.5)])).toEqual({ index: 0, field: 'part_number' });
  });
});

describe('combinedEtag', () => {
  it('is the md5 of the md5s, as S3 reports it', () => {
    const emptyMd5 = 'd41d8cd98f00b204e9800998ecf8427e';
    const etag = combinedEtag('md5', [
      { partNumber: 1, etag: emptyMd5 },
      { partNumber: 2, etag: emptyMd5 },
    ]);
    expect(etag).toBe('5873dd45edd01f09c1ef2e7819369e8e-2');
  });
});
