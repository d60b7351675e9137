import { describe, expect, it } from 'vitest';
import { ScorerNotInstalledError } from './run-scorer.js';
import { parseScliteReport, computeWordErrors } from './sclite.js';

const installed = await computeWordErrors('one', 'one').then(
  () => true,
  (error: unknown) => {
    if (!(error instanceof ScorerNotInstalledError)) throw error;
    console.warn(`Skipped counting of word errors: ${error.message}`);
    return false;
  },
);

describe.skipIf(!installed)('computeWordErrors', () => {
  it('differences in case and punctuation are not counted', async () => {
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

  it('substitutions, deletions and insertions are counted separately', async () => {
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

  it('every word counts as deleted when no word was recognized', async () => {
    expect(await computeWordErrors('one two three', '')).toMatchObject({ percent: 100, deletions: 3 });
  });

  it('the error rate exceeds 100 % when more words were recognized than spoken', async () => {
    expect(await computeWordErrors('one', 'a b c')).toMatchObject({ percent: 300, insertions: 2 });
  });

  it('errors in other scripts are counted', async () => {
    const errors = await computeWordErrors(
      '\u0434\u043e\u0431\u0440\u044b\u0439 \u0434\u0435\u043d\u044c',
      '\u0434\u043e\u0431\u0440\u044b\u0439 \u0432\u0435\u0447\u0435\u0440',
    );
    expect(errors).toMatchObject({ percent: 50, substitutions: 1 });
  });

  it('a reference without words is rejected', async () => {
    await expect(computeWordErrors(' ... ', 'one')).rejects.toThrow(RangeError);
  });
});

describe('parseScliteReport', () => {
  it('a report without scores is rejected', () => {
    expect(() => parseScliteReport('sclite: Alignment# 0')).toThrow('no scores');
  });
});
