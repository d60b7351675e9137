import { describe, expect, it } from 'vitest';
import { vocabularyWarnings } from './vocabulary-warning.js';

const codes = (terms: string[] | null, vocabulary: boolean) =>
  vocabularyWarnings({ custom_vocabulary: terms }, { vocabulary }).map(({ code }) => code);

describe('vocabularyWarnings', () => {
  it('warns when terms were given that the engine cannot use', () => {
    expect(codes(['Dashwood'], false)).toEqual(['vocabulary_unavailable']);
  });

  it('is silent when there are none, or the engine uses them', () => {
    expect([codes(null, false), codes([], false), codes(['Dashwood'], true)]).toEqual([[], [], []]);
  });
});
