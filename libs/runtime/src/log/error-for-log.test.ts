import { QueryFailedError } from 'typeorm';
import { describe, expect, it } from 'vitest';
import { errorForLog } from './error-for-log.js';

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

describe('an error in the log', () => {
  it('says what failed, where, and why', () => {
    expect(errorForLog(failedQuery())).toMatchObject({
      type: 'QueryFailedError',
      message: 'duplicate key value violates unique constraint "a"',
      code: '23505',
      constraint: 'a',
      query: 'INSERT INTO t VALUES ($1)',
    });
    expect(errorForLog(failedQuery())).toHaveProperty('stack', expect.stringContaining('error-for-log.test'));
  });

  it('holds nothing of the values that a query was given', () => {
    expect(JSON.stringify(errorForLog(failedQuery()))).not.toContain(SECRET);
    const wrapped = new Error('the stage failed', { cause: failedQuery() });
    expect(JSON.stringify(errorForLog(wrapped))).not.toContain(SECRET);
    const several = new AggregateError([failedQuery()], 'several');
    expect(JSON.stringify(errorForLog(several))).not.toContain(SECRET);
  });

  it('names the causes', () => {
    const error = new Error('outer', { cause: Object.assign(new Error('inner'), { code: 'ECONNRESET' }) });
    expect(errorForLog(error)).toMatchObject({
      message: 'outer',
      cause: { message: 'inner', code: 'ECONNRESET' },
    });
    expect(errorForLog(new AggregateError([new Error('one')], ''))).toMatchObject({
      errors: [{ message: 'one' }],
    });
  });

  it('ends where causes go in a circle', () => {
    const error = new Error('round');
    error.cause = error;
    expect(JSON.stringify(errorForLog(error))).toContain('round');
  });

  it('takes what is no error as it is', () => {
    expect(errorForLog('text')).toBe('text');
  });
});
