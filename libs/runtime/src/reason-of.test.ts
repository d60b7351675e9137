import { describe, expect, it } from 'vitest';
import { reasonOf } from './reason-of.js';

describe('the one line about an error', () => {
  it.each([
    [new Error('broken'), 'broken'],
    ['text', 'text'],
    [Object.assign(new Error(''), { code: 'ECONNREFUSED' }), 'ECONNREFUSED'],
    [new TypeError(''), 'TypeError'],
  ])('is never blank (%#)', (error, reason) => expect(reasonOf(error)).toBe(reason));

  it('tells every address of a host that did not answer', () => {
    const inner = [
      new Error('connect ECONNREFUSED ::1:5432'),
      new Error('connect ECONNREFUSED 127.0.0.1:5432'),
    ];
    expect(reasonOf(new AggregateError(inner, ''))).toBe(
      'connect ECONNREFUSED ::1:5432; connect ECONNREFUSED 127.0.0.1:5432',
    );
  });
});
