import { QueryFailedError } from 'typeorm';
import { describe, expect, it } from 'vitest';
import { serializeError } from './serialize-error.js';

const SECRET = 'whsec_planted-secret';

function failedQuery(): QueryFailedError {
  const driver = Object.assign(new Error('duplicate key value violates unique constraint "a"'), {
    code: '23505',
    detail: `Key (a)=(${SECRET}) already exists.`,
    where: `unnamed portal parameter $1 = '${SECRET}'`,
    constraint: 'a',
  });
  return new QueryFailedError('INSERT INTO t VALUES ($1)', [SECRET, { words: [SECRET] }], driver);
}

describe('serializeError', () => {
  it('contains type, message, code and stack', () => {
    expect(serializeError(failedQuery())).toMatchObject({
      type: 'QueryFailedError',
      message: 'duplicate key value violates unique constraint "a"',
      code: '23505',
      constraint: 'a',
      query: 'INSERT INTO t VALUES ($1)',
    });
    expect(serializeError(failedQuery())).toHaveProperty(
      'stack',
      expect.stringContaining('serialize-error.test'),
    );
  });

  it('omits the values of query parameters', () => {
    expect(JSON.stringify(serializeError(failedQuery()))).not.toContain(SECRET);
    const wrapped = new Error('the stage failed', { cause: failedQuery() });
    expect(JSON.stringify(serializeError(wrapped))).not.toContain(SECRET);
    const several = new AggregateError([failedQuery()], 'several');
    expect(JSON.stringify(serializeError(several))).not.toContain(SECRET);
  });

  it('contains the chain of causes', () => {
    const error = new Error('outer', { cause: Object.assign(new Error('inner'), { code: 'ECONNRESET' }) });
    expect(serializeError(error)).toMatchObject({
      message: 'outer',
      cause: { message: 'inner', code: 'ECONNRESET' },
    });
    expect(serializeError(new AggregateError([new Error('one')], ''))).toMatchObject({
      errors: [{ message: 'one' }],
    });
  });

  it('stops at circular causes', () => {
    const error = new Error('round');
    error.cause = error;
    expect(JSON.stringify(serializeError(error))).toContain('round');
  });

  it('returns a value that is no error unchanged', () => {
    expect(serializeError('text')).toBe('text');
  });
});
