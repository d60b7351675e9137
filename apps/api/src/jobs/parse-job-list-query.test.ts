import { ServiceError } from '@app/errors';
import { describe, expect, it } from 'vitest';
import { parseJobListQuery } from './parse-job-list-query.js';

function captureError(query: Record<string, unknown>): unknown {
  try {
    return parseJobListQuery(query);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return [error.status, error.code, ...(error.errors ?? []).map(({ field }) => field)];
  }
}

const DEFAULTS = { limit: 50, before: null, status: null, fields: [], metadata: null };

describe('parseJobListQuery', () => {
  it('applies the defaults to an empty query', () => {
    expect(parseJobListQuery({})).toEqual(DEFAULTS);
  });

  it.each(['1', '50', '100'])('accepts the limit %s', (limit) => {
    expect(parseJobListQuery({ limit, before: '1970-01-01T00:00:01Z' })).toEqual({
      ...DEFAULTS,
      limit: Number(limit),
      before: 1_000_000n,
    });
  });

  it.each([
    ['0'],
    ['101'],
    ['-1'],
    ['1.5'],
    ['1e1'],
    ['0x5'],
    [''],
    [' 5'],
    ['five'],
    ['01'],
    ['9'.repeat(400)],
  ])('rejects the limit %j', (limit) => {
    expect(captureError({ limit })).toEqual([400, 'invalid_parameter', 'limit']);
  });

  it('rejects a parameter that is sent twice', () => {
    expect(captureError({ limit: ['1', '2'] })).toEqual([400, 'invalid_parameter', 'limit']);
    expect(captureError({ before: ['2026-11-20', '2026-11-21'] })).toEqual([
      400,
      'invalid_parameter',
      'before',
    ]);
  });

  it('names every invalid parameter', () => {
    expect(captureError({ limit: 'x', before: '' })).toEqual([400, 'invalid_parameter', 'limit', 'before']);
  });

  it('parses filters and fields', () => {
    const query = {
      status: 'failed',
      'metadata.file': 'a',
      'metadata[team]': '',
      fields: 'job_id, status,status',
    };
    expect(parseJobListQuery(query)).toEqual({
      ...DEFAULTS,
      status: 'failed',
      fields: ['status'],
      metadata: { file: 'a', team: '' },
    });
  });

  it.each([
    ['a state that jobs do not have', { status: 'done' }, 'status'],
    ['a field that jobs do not have', { fields: 'status,size' }, 'fields'],
    ['no field', { fields: '' }, 'fields'],
    ['a key that metadata cannot have', { 'metadata.a b': '1' }, 'metadata.a b'],
    ['an entry that is given twice', { 'metadata.a': ['1', '2'] }, 'metadata.a'],
    ['metadata without a key', { metadata: '1' }, 'metadata'],
  ])('rejects %s', (_, query, field) => {
    expect(captureError(query)).toEqual([400, 'invalid_parameter', field]);
  });

  it.each([
    ['Status', 'did you mean status?'],
    ['stauts', 'did you mean status?'],
    ['pageSize', 'known are: limit, before, status, fields'],
  ])('rejects the unknown parameter %s with the advice: %s', (name, advice) => {
    expect(() => parseJobListQuery({ [name]: '1' })).toThrow(
      `${name}: is no parameter of this route; ${advice}`,
    );
  });
});
