import { describe, expect, it } from 'vitest';
import {
  sumWordErrorCounts,
  countWordErrors,
  getWordErrorRate,
  splitIntoNormalizedWords,
} from './word-errors.js';

const { signal } = new AbortController();
const count = (reference: string, transcript: string) =>
  countWordErrors(splitIntoNormalizedWords(reference), splitIntoNormalizedWords(transcript), signal);

describe('the word errors of a transcript', () => {
  it.each([
    ['a b c d', 'a b c d', { substitutions: 0, deletions: 0, insertions: 0 }],
    ['a b c d', 'a x c d', { substitutions: 1, deletions: 0, insertions: 0 }],
    ['a b c d', 'a c d', { substitutions: 0, deletions: 1, insertions: 0 }],
    ['a b c d', 'a b b c d', { substitutions: 0, deletions: 0, insertions: 1 }],
    ['a b c d', '', { substitutions: 0, deletions: 4, insertions: 0 }],
    ['', 'a b', { substitutions: 0, deletions: 0, insertions: 2 }],
  ])('of “%s” as “%s” are the fewest changes', async (reference, transcript, expected) => {
    expect(await count(reference, transcript)).toMatchObject(expected);
  });

  it('are of characters where words are not divided by spaces', async () => {
    expect(await count('你好 Anna', '你 们 好 Anna')).toMatchObject({
      words: 3,
      insertions: 1,
      substitutions: 0,
    });
    expect(getWordErrorRate(await count('ありがとう。', 'あり がとう'))).toBe(0);
  });

  it('ignore case, punctuation and the form of apostrophes', async () => {
    expect(getWordErrorRate(await count('Don’t “stop”, ÉLAN!', "don't stop élan"))).toBe(0);
  });

  it('have no rate without words, and may be more than the words', async () => {
    expect(getWordErrorRate(await count('', 'a'))).toBeNull();
    expect(getWordErrorRate(await count('a', 'x y z'))).toBe(3);
  });

  it('are added over files, so that long files weigh more', async () => {
    expect(getWordErrorRate(sumWordErrorCounts(await count('a', 'x'), await count('a b c', 'a b c')))).toBe(
      0.25,
    );
  });

  it('of a long recording are no longer counted when the signal aborts', async () => {
    const interruption = new AbortController();
    const words = Array.from({ length: 30_000 }, (_, index) => String(index));
    const counting = countWordErrors(words, words.toReversed(), interruption.signal);
    setImmediate(() => interruption.abort(new Error('enough')));
    await expect(counting).rejects.toThrow('enough');
  });
});
