import { describe, expect, it } from 'vitest';
import { ScorerNotInstalledError } from './run-scorer.js';
import { parseScliteReport, computeWordErrors } from './sclite.js';

const installed = await computeWordErrors('one', 'one').then(
  () => true,
  (error: unknown) => {
    if (!(error instanceof ScorerNotInstalledError)) throw error;
    console.warn(`Skipped, word errors are not counted: ${error.message}`);
    return false;
  },
);

describe.skipIf(!installed)('wordErrorRate', () => {
  it('counts nothing where only case and punctuation differ', async () => {
    const errors = await computeWordErrors('Well, it is late. Isn\u2019t it?', "well it is late isn't it");
    expect(errors).toEqual({
      percent: 0,
      errors: 0,
      words: 6,
      substitutions: 0,
      deletions: 0,
      insertions: 0,
    });
  });

  it('tells substitutions, deletions and insertions apart', async () => {
    const errors = await computeWordErrors(
      'the rain fell on the old roof all night long',
      'the train fell on the roof all the night long',
    );
    expect(errors).toEqual({
      percent: 30,
      errors: 3,
      words: 10,
      substitutions: 1,
      deletions: 1,
      insertions: 1,
    });
  });

  it('counts every word as lost when nothing was heard', async () => {
    expect(await computeWordErrors('one two three', '')).toMatchObject({ percent: 100, deletions: 3 });
  });

  it('goes beyond a hundred when more is heard than was said', async () => {
    expect(await computeWordErrors('one', 'a b c')).toMatchObject({ percent: 300, insertions: 2 });
  });

  it('counts in other scripts', async () => {
    const errors = await computeWordErrors(
      '\u0434\u043e\u0431\u0440\u044b\u0439 \u0434\u0435\u043d\u044c',
      '\u0434\u043e\u0431\u0440\u044b\u0439 \u0432\u0435\u0447\u0435\u0440',
    );
    expect(errors).toMatchObject({ percent: 50, substitutions: 1 });
  });

  it('refuses a reference without words', async () => {
    await expect(computeWordErrors(' ... ', 'one')).rejects.toThrow(RangeError);
  });
});

describe('readScores', () => {
  it('refuses a report without scores', () => {
    expect(() => parseScliteReport('sclite: Alignment# 0')).toThrow('no scores');
  });
});
