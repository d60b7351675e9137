import { describe, expect, it } from 'vitest';
import {
  sumWordErrorCounts,
  countWordErrors,
  getWordErrorRate,
  splitIntoNormalizedWords,
} from './word-errors.js';

const count = (reference: string, transcript: string) =>
  countWordErrors(splitIntoNormalizedWords(reference), splitIntoNormalizedWords(transcript));

describe('the word errors of a transcript', () => {
  it.each([
    ['a b c d', 'a b c d', { substitutions: 0, deletions: 0, insertions: 0 }],
    ['a b c d', 'a x c d', { substitutions: 1, deletions: 0, insertions: 0 }],
    ['a b c d', 'a c d', { substitutions: 0, deletions: 1, insertions: 0 }],
    ['a b c d', 'a b b c d', { substitutions: 0, deletions: 0, insertions: 1 }],
    ['a b c d', '', { substitutions: 0, deletions: 4, insertions: 0 }],
    ['', 'a b', { substitutions: 0, deletions: 0, insertions: 2 }],
  ])('of “%s” as “%s” are the fewest changes', (reference, transcript, expected) => {
    expect(count(reference, transcript)).toMatchObject(expected);
  });

  it('are of characters where words are not divided by spaces', () => {
    expect(count('你好 Anna', '你 们 好 Anna')).toMatchObject({ words: 3, insertions: 1, substitutions: 0 });
    expect(getWordErrorRate(count('ありがとう。', 'あり がとう'))).toBe(0);
  });

  it('ignore case, punctuation and the form of apostrophes', () => {
    expect(getWordErrorRate(count('Don’t “stop”, ÉLAN!', "don't stop élan"))).toBe(0);
  });

  it('have no rate without words, and may be more than the words', () => {
    expect(getWordErrorRate(count('', 'a'))).toBeNull();
    expect(getWordErrorRate(count('a', 'x y z'))).toBe(3);
  });

  it('are added over files, so that long files weigh more', () => {
    expect(getWordErrorRate(sumWordErrorCounts(count('a', 'x'), count('a b c', 'a b c')))).toBe(0.25);
  });
});
