import { describe, expect, it } from 'vitest';
import { toNameFindings } from './vocabulary.mjs';

describe('toNameFindings', () => {
  it('counts the names that are right with terms, of those that were wrong without', () => {
    const [finding] = toNameFindings([
      { terms: 4, wrongWithoutTerms: ['a', 'b'], wrongWithTerms: ['b'] },
      { terms: 4, wrongWithoutTerms: ['a', 'c'], wrongWithTerms: ['d'] },
    ]);
    expect(finding).toMatchObject({ ours: '3 of 4', baseline: '4 of 8 wrong', value: 75 });
  });
});
