import { describe, expect, it } from 'vitest';
import { ignoredFieldsValue } from './ignored-fields.js';

describe('the value of X-Ignored-Fields', () => {
  it.each([
    [[], undefined],
    [['outputType'], 'outputType'],
    [['a', 'b-c', 'd.e_f'], 'a, b-c, d.e_f'],
    [['a b', 'x\r\nSet-Cookie: y', 'é', '\ud800'], 'a%20b, x%0D%0ASet-Cookie%3A%20y, %C3%A9, %EF%BF%BD'],
    [['n'.repeat(1_000)], 'n'.repeat(64)],
  ])('of %j is %j', (names, value) => {
    expect(ignoredFieldsValue(names)).toBe(value);
  });

  it('is bounded, and says that more was ignored', () => {
    const value = ignoredFieldsValue(Array.from({ length: 10_000 }, () => '語'.repeat(100))) ?? '';
    expect(value.length).toBeLessThan(1_500);
    expect(value).toMatch(/^[\w%., -]+, \.\.\.$/);
  });
});
