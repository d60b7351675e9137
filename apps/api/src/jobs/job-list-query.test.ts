import { ServiceError } from '@app/errors';
import { describe, expect, it } from 'vitest';
import { readJobListQuery } from './job-list-query.js';

function refusal(query: object): unknown {
  try {
    return readJobListQuery(query);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return [error.status, error.code, ...(error.errors ?? []).map(({ field }) => field)];
  }
}

describe('readJobListQuery', () => {
  it('has defaults', () => {
    expect(readJobListQuery({})).toEqual({ limit: 50, before: null });
  });

  it.each(['1', '50', '100'])('takes the limit %s', (limit) => {
    expect(readJobListQuery({ limit, before: '1970-01-01T00:00:01Z' })).toEqual({
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
  ])('refuses the limit %j', (limit) => {
    expect(refusal({ limit })).toEqual([400, 'query_invalid', 'limit']);
  });

  it('refuses a parameter that is given twice', () => {
    expect(refusal({ limit: ['1', '2'] })).toEqual([400, 'query_invalid', 'limit']);
    expect(refusal({ before: ['2026-11-20', '2026-11-21'] })).toEqual([400, 'query_invalid', 'before']);
  });

  it('names everything that is wrong', () => {
    expect(refusal({ limit: 'x', before: '' })).toEqual([400, 'query_invalid', 'limit', 'before']);
  });
});
