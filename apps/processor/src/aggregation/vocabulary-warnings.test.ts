import { describe, expect, it } from 'vitest';
import { buildVocabularyWarnings } from './vocabulary-warnings.js';

const warnings = (terms: string[] | null, vocabulary: boolean, unused: (number | undefined)[] = []) =>
  buildVocabularyWarnings(
    { custom_vocabulary: terms },
    { vocabulary },
    unused.map((unusedTerms) => (unusedTerms === undefined ? {} : { unusedTerms })),
  );

describe('vocabularyWarnings', () => {
  it('warns when terms were given that the engine cannot use', () => {
    expect(warnings(['Dashwood'], false).map(({ code }) => code)).toEqual(['vocabulary_unavailable']);
  });

  it('tells how many terms were of no use, however many chunks say so', () => {
    const [warning, ...more] = warnings(['Dashwood', '風', '水'], true, [undefined, 2, 2]);
    expect(more).toEqual([]);
    expect(warning?.code).toBe('vocabulary_partial');
    expect(warning?.message).toContain('2 of 3');
  });

  it('is silent when there are none, or the engine uses them all', () => {
    expect([
      warnings(null, false),
      warnings([], false),
      warnings(['Dashwood'], true),
      warnings(['Dashwood'], true, [0, undefined]),
    ]).toEqual([[], [], [], []]);
  });
});
