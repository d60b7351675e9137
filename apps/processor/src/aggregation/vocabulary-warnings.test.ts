import { describe, expect, it } from 'vitest';
import { buildVocabularyWarnings } from './vocabulary-warnings.js';

const warnings = (terms: string[] | null, vocabulary: boolean, unused: (number | undefined)[] = []) =>
  buildVocabularyWarnings(
    { custom_vocabulary: terms },
    { vocabulary },
    unused.map((unusedTerms) => (unusedTerms === undefined ? {} : { unusedTerms })),
  );

describe('buildVocabularyWarnings', () => {
  it('warns when the engine does not support a custom vocabulary', () => {
    expect(warnings(['Dashwood'], false).map(({ code }) => code)).toEqual(['vocabulary_unavailable']);
  });

  it('reports the number of unused terms once for all chunks', () => {
    const [warning, ...more] = warnings(['Dashwood', '風', '水'], true, [undefined, 2, 2]);
    expect(more).toEqual([]);
    expect(warning?.code).toBe('vocabulary_partial');
    expect(warning?.message).toContain('2 of 3');
  });

  it('returns no warning when there are no terms or the engine uses all of them', () => {
    expect([
      warnings(null, false),
      warnings([], false),
      warnings(['Dashwood'], true),
      warnings(['Dashwood'], true, [0, undefined]),
    ]).toEqual([[], [], [], []]);
  });
});
