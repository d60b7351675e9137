import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ModelLexicon, getLexicon } from './model-lexicon.js';
import { UnsupportedLanguageModelError } from './language-model.js';
import { buildBinaryLanguageModel } from './testing/binary-language-model.js';

async function modelIn() {
  const folder = await mkdtemp(join(tmpdir(), 'zephyr-known-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return { acoustic: folder, language: join(folder, 'lm.bin'), dictionary: join(folder, 'words.dict') };
}

describe('ModelLexicon', () => {
  it('the dictionary of a model is read once for all callers', async () => {
    const model = await modelIn();
    await writeFile(model.dictionary, 'nine N AY N\n');
    const expected = new Map([['nine', ['N AY N']]]);
    expect(await getLexicon(model).findPronunciations(['nine', 'ten'])).toEqual(expected);
    await rm(model.dictionary);
    expect(await getLexicon(model).findPronunciations(['nine', 'ten'])).toEqual(expected);
  });

  it('dictionary lines are limited to words of the language model', async () => {
    const model = await modelIn();
    await writeFile(model.dictionary, 'ate EY T\nnine N AY N\nten T EH N\nnine(2) N IY N\n');
    await expect(getLexicon(model).dictionaryLines()).rejects.toThrow('ENOENT');
    await writeFile(model.language, buildBinaryLanguageModel({ one: 0.5, ten: 0.2, nine: 0.1 }));
    expect(await getLexicon(model).dictionaryLines()).toBe('nine N AY N\nten T EH N\nnine(2) N IY N\n');
  });

  it('a failed read is retried', async () => {
    const model = await modelIn();
    await expect(getLexicon(model).findPronunciations(['nine'])).rejects.toThrow('ENOENT');
    await writeFile(model.dictionary, 'nine N AY N\n');
    expect([...(await getLexicon(model).findPronunciations(['nine'])).keys()]).toEqual(['nine']);
    await writeFile(model.language, 'no model');
    for (const _ of ['once', 'again'])
      await expect(getLexicon(model).findProbabilities(['nine'])).rejects.toThrow(
        UnsupportedLanguageModelError,
      );
  });

  it('every requested pronunciation is returned although the cache is cleared', async () => {
    const asked: number[] = [];
    const known = new ModelLexicon(await modelIn(), (words) => {
      asked.push(words.length);
      return Promise.resolve(new Map(words.map((word) => [word, [`AH ${word}`]])));
    });
    const words = Array.from({ length: 5_200 }, (_, at) => `word${at}`);
    const guess = (some: string[]) => known.guessPronunciations(some, '.', new AbortController().signal);
    expect([...(await guess(words)).values()].flat()).toHaveLength(5_200);
    expect([...(await guess([...words, 'another'])).values()].flat()).toHaveLength(5_201);
    expect(asked).toEqual([5_200, 1]);
  });

  it('cached pronunciations are returned although another job clears the cache', async () => {
    const known = new ModelLexicon(await modelIn(), (words) =>
      Promise.resolve(new Map(words.map((word) => [word, [`AH ${word}`]]))),
    );
    const guess = (some: string[]) => known.guessPronunciations(some, '.', new AbortController().signal);
    await guess(['nine']);
    const many = guess(Array.from({ length: 5_200 }, (_, at) => `word${at}`));
    const [, few] = await Promise.all([many, guess(['nine', 'ten'])]);
    expect(few.get('nine')).toEqual(['AH nine']);
  });
});
