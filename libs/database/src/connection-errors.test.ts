import { QueryFailedError } from 'typeorm';
import { describe, expect, it } from 'vitest';
import { isDatabaseUnavailableError } from './connection-errors.js';

const withCode = (code: string) => Object.assign(new Error('x'), { code });
const failed = (code: string) => new QueryFailedError('SELECT 1', [], withCode(code));

describe('isDatabaseUnavailableError is true', () => {
  it.each(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH'])(
    'for the network error %s',
    (code) => {
      expect(isDatabaseUnavailableError(withCode(code))).toBe(true);
      expect(isDatabaseUnavailableError(failed(code))).toBe(true);
    },
  );

  it.each([
    ['57P01', 'it is stopping'],
    ['57P03', 'it is starting'],
    ['53300', 'it takes no more connections'],
    ['53100', 'its disk is full'],
    ['53200', 'it has no memory left'],
    ['58030', 'its disk fails'],
    ['25006', 'it has become a standby'],
    ['08006', 'the connection broke'],
    ['57014', 'it took too long'],
  ])('for SQLSTATE %s (%s)', (code) => expect(isDatabaseUnavailableError(failed(code))).toBe(true));

  it.each([
    'Connection terminated unexpectedly',
    'Connection terminated due to connection timeout',
    'timeout exceeded when trying to connect',
    'timeout expired',
    'Query read timeout',
    'Client has encountered a connection error and is not queryable',
    'Client was closed and is not queryable',
  ])('for the driver message "%s"', (message) =>
    expect(isDatabaseUnavailableError(new Error(message))).toBe(true),
  );

  it('when no address of the host answers', () => {
    const each = new AggregateError([withCode('ECONNREFUSED')], '');
    expect(isDatabaseUnavailableError(Object.assign(each, { code: 'ECONNREFUSED' }))).toBe(true);
  });
});

describe('isDatabaseUnavailableError is false', () => {
  it.each(['23505', '23514', '40001', '22P02', '42601'])('for SQLSTATE %s', (code) =>
    expect(isDatabaseUnavailableError(failed(code))).toBe(false),
  );

  it.each([undefined, null, 'text', new Error('broken')])('for the value %s', (error) =>
    expect(isDatabaseUnavailableError(error)).toBe(false),
  );
});
