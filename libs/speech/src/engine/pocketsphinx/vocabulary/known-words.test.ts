import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { KnownWords, knownWords } from './known-words.js';
import { LanguageModelUnknown } from './language-model.js';
import { binaryModel } from './testing/binary-model.js';

async function modelIn() {
  const folder = await mkdtemp(join(tmpdir(), 'zephyr-known-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return { acoustic: folder, language: join(folder, 'lm.bin'), dictionary: join(folder, 'words.dict') };
}

describe('knownWords', () => {
  it('reads the dictionary of a model once, for all who ask', async () => {
    const model = await modelIn();
    await writeFile(model.dictionary, 'nine N AY N\n');
    const expected = new Map([['nine', ['N AY N']]]);
    expect(await knownWords(model).soundsOf(['nine', 'ten'])).toEqual(expected);
    await rm(model.dictionary);
    expect(await knownWords(model).soundsOf(['nine', 'ten'])).toEqual(expected);
  });

  it('keeps of the dictionary what the language model knows', async () => {
    const model = await modelIn();
    await writeFile(model.dictionary, 'ate EY T\nnine N AY N\nten T EH N\nnine(2) N IY N\n');
    await expect(knownWords(model).dictionary()).rejects.toThrow('ENOENT');
    await writeFile(model.language, binaryModel({ one: 0.5, ten: 0.2, nine: 0.1 }));
    expect(await knownWords(model).dictionary()).toBe('nine N AY N\nten T EH N\nnine(2) N IY N\n');
  });

  it('tries again what failed', async () => {
    const model = await modelIn();
    await expect(knownWords(model).soundsOf(['nine'])).rejects.toThrow('ENOENT');
    await writeFile(model.dictionary, 'nine N AY N\n');
    expect([...(await knownWords(model).soundsOf(['nine'])).keys()]).toEqual(['nine']);
    await writeFile(model.language, 'no model');
    for (const _ of ['once', 'again'])
      await expect(knownWords(model).likelihoodsOf(['nine'])).rejects.toThrow(LanguageModelUnknown);
  });

  it('tells the sounds of every word asked for, also when it forgets what it knew', async () => {
    const asked: number[] = [];
    const known = new KnownWords(await modelIn(), (words) => {
      asked.push(words.length);
      return Promise.resolve(new Map(words.map((word) => [word, [`AH ${word}`]])));
    });
    const words = Array.from({ length: 5_200 }, (_, at) => `word${at}`);
    const guess = (some: string[]) => known.guessesOf(some, '.', new AbortController().signal);
    expect([...(await guess(words)).values()].flat()).toHaveLength(5_200);
    expect([...(await guess([...words, 'another'])).values()].flat()).toHaveLength(5_201);
    expect(asked).toEqual([5_200, 1]);
  });

  it('tells the sounds that it knew when it was asked, though another job has it forget them', async () => {
    const known = new KnownWords(await modelIn(), (words) =>
      Promise.resolve(new Map(words.map((word) => [word, [`AH ${word}`]]))),
    );
    const guess = (some: string[]) => known.guessesOf(some, '.', new AbortController().signal);
    await guess(['nine']);
    const many = guess(Array.from({ length: 5_200 }, (_, at) => `word${at}`));
    const [, few] = await Promise.all([many, guess(['nine', 'ten'])]);
    expect(few.get('nine')).toEqual(['AH nine']);
  });
});
