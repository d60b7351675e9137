import { describe, expect, it } from 'vitest';
import { makeUpNames } from './names.mjs';

describe('makeUpNames', () => {
  it('makes forty lists of five hundred names that have no name in common', () => {
    const names = Array.from({ length: 40 }, (_, list) => makeUpNames(list)).flat();
    expect(names).toHaveLength(40 * 500);
    expect(new Set(names)).toHaveLength(40 * 500);
  });
});
