import { describe, expect, it } from 'vitest';
import { describeError } from './describe-error.js';

describe('describeError', () => {
  it.each([
    [new Error('broken'), 'broken'],
    ['text', 'text'],
    [Object.assign(new Error(''), { code: 'ECONNREFUSED' }), 'ECONNREFUSED'],
    [new TypeError(''), 'TypeError'],
  ])('never returns an empty text (%#)', (error, reason) => expect(describeError(error)).toBe(reason));

  it('names every address of a host that did not answer', () => {
    const inner = [
      new Error('connect ECONNREFUSED ::1:5432'),
      new Error('connect ECONNREFUSED 127.0.0.1:5432'),
    ];
    const refused = Object.assign(new Error(''), { code: 'ECONNREFUSED' });
    expect(describeError(new AggregateError([refused, new Error('timeout')]))).toBe('ECONNREFUSED; timeout');
    expect(describeError(new AggregateError(inner, ''))).toBe(
      'connect ECONNREFUSED ::1:5432; connect ECONNREFUSED 127.0.0.1:5432',
    );
  });
});
