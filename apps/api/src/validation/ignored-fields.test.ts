import { describe, expect, it } from 'vitest';
import { formatIgnoredFields } from './ignored-fields.js';

describe('formatIgnoredFields', () => {
  it.each([
    [[], undefined],
    [['outputType'], 'outputType'],
    [['a', 'b-c', 'd.e_f'], 'a, b-c, d.e_f'],
    [['a b', 'x\r\nSet-Cookie: y', 'é', '\ud800'], 'a%20b, x%0D%0ASet-Cookie%3A%20y, %C3%A9, %EF%BF%BD'],
    [['n'.repeat(1_000)], 'n'.repeat(64)],
  ])('formats %j as %j', (names, value) => {
    expect(formatIgnoredFields(names)).toBe(value);
  });

  it('truncates long lists and marks the truncation', () => {
    const value = formatIgnoredFields(Array.from({ length: 10_000 }, () => '語'.repeat(100))) ?? '';
    expect(value.length).toBeLessThan(1_500);
    expect(value).toMatch(/^[\w%., -]+, \.\.\.$/);
  });
});
