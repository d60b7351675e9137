import { describe, expect, it } from 'vitest';
import { findNearestName } from './find-nearest-name.js';

const KNOWN = ['output_type', 'file_size', 'PORT', 'S3_BUCKET'];

describe('findNearestName', () => {
  it.each([
    ['outputType', 'output_type'],
    ['filesize', 'file_size'],
    ['file_szie', 'file_size'],
    ['PROT', 'PORT'],
    ['S3_BUKET', 'S3_BUCKET'],
  ])('finds what %s stands for', (name, known) => {
    expect(findNearestName(name, KNOWN)).toBe(known);
  });

  it.each(['', 'PATH', 'language', 'x'.repeat(100)])('finds nothing for %s', (name) => {
    expect(findNearestName(name, KNOWN)).toBeUndefined();
  });

  it('uses the maximum number of edits that the caller gives', () => {
    expect(findNearestName('S3_BASKET', KNOWN)).toBe('S3_BUCKET');
    expect(findNearestName('S3_BASKET', KNOWN, () => 1)).toBeUndefined();
  });
});
