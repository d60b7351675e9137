import { describe, expect, it } from 'vitest';
import { nearestName } from './nearest-name.js';

const KNOWN = ['output_type', 'file_size', 'PORT', 'S3_BUCKET'];

describe('nearestName', () => {
  it.each([
    ['outputType', 'output_type'],
    ['filesize', 'file_size'],
    ['file_szie', 'file_size'],
    ['PROT', 'PORT'],
    ['S3_BUKET', 'S3_BUCKET'],
  ])('finds what %s stands for', (name, known) => {
    expect(nearestName(name, KNOWN)).toBe(known);
  });

  it.each(['', 'PATH', 'language', 'x'.repeat(100)])('finds nothing for %s', (name) => {
    expect(nearestName(name, KNOWN)).toBeUndefined();
  });

  it('takes the number of edits that are allowed from its caller', () => {
    expect(nearestName('S3_BASKET', KNOWN)).toBe('S3_BUCKET');
    expect(nearestName('S3_BASKET', KNOWN, () => 1)).toBeUndefined();
  });
});
