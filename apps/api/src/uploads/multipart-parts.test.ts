import { ServiceError } from '@app/errors';
import { InvalidPartsError } from '@app/storage';
import { describe, expect, it } from 'vitest';
import { toInvalidPartsServiceError, parseReportedParts } from './multipart-parts.js';

function fieldsOf(items: unknown[]): string[] {
  try {
    parseReportedParts(items);
    return [];
  } catch (error) {
    return error instanceof ServiceError ? (error.errors ?? []).map(({ field }) => field) : [String(error)];
  }
}

describe('parseReportedParts', () => {
  it('sorts the parts and records the index of each', () => {
    const parts = parseReportedParts([
      { part_number: 10, etag: '"c"' },
      { part_number: 2, etag: 'b', more: true },
      { part_number: 1, etag: 'a' },
    ]);
    expect(parts).toEqual([
      { partNumber: 1, etag: 'a', index: 2 },
      { partNumber: 2, etag: 'b', index: 1 },
      { partNumber: 10, etag: '"c"', index: 0 },
    ]);
  });

  it.each([
    ['a number', 7, ['parts.1']],
    ['null', null, ['parts.1']],
    ['a list', [], ['parts.1']],
    ['an empty object', {}, ['parts.1.part_number', 'parts.1.etag']],
    ['a number as text', { part_number: '2', etag: 'b' }, ['parts.1.part_number']],
    ['a fraction', { part_number: 1.5, etag: 'b' }, ['parts.1.part_number']],
    ['zero', { part_number: 0, etag: 'b' }, ['parts.1.part_number']],
    ['a number above 10,000', { part_number: 10_001, etag: 'b' }, ['parts.1.part_number']],
    ['an empty etag', { part_number: 2, etag: '' }, ['parts.1.etag']],
    ['an endless etag', { part_number: 2, etag: 'x'.repeat(201) }, ['parts.1.etag']],
    ['an etag with a line end', { part_number: 2, etag: 'a\r\nb' }, ['parts.1.etag']],
    ['half a character', { part_number: 2, etag: '\ud800' }, ['parts.1.etag']],
  ])('rejects %s and names the field', (_, item, fields) => {
    expect(fieldsOf([{ part_number: 1, etag: 'a' }, item])).toEqual(fields);
  });

  it('names a limited number of invalid parts', () => {
    expect(fieldsOf(Array.from({ length: 10_000 }, () => 0))).toHaveLength(20);
  });
});

describe('toInvalidPartsServiceError', () => {
  const parts = parseReportedParts([
    { part_number: 2, etag: 'b' },
    { part_number: 1, etag: 'a' },
  ]);

  it('names the part by its index in the list of the caller', () => {
    const error = toInvalidPartsServiceError(
      new InvalidPartsError(1, 'etag', 'Part 2 was stored with another ETag.'),
      parts,
    );
    expect(error).toMatchObject({ status: 400, code: 'invalid_parts' });
    expect(error.errors).toEqual([
      { field: 'parts.0.etag', message: 'Part 2 was stored with another ETag.' },
    ]);
    expect(error.detail).toContain('Part 2');
  });

  it('names the list when no single part is invalid', () => {
    expect(
      toInvalidPartsServiceError(new InvalidPartsError(0, 'upload', 'Ended.'), parts).errors?.[0]?.field,
    ).toBe('parts');
  });
});
