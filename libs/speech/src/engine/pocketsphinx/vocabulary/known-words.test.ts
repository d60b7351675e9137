import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { knownWords } from './known-words.js';
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
});
