import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  writeExtendedLanguageModel,
  UnsupportedLanguageModelError,
  readUnigramProbabilities,
} from './language-model.js';
import {
  buildBinaryLanguageModel,
  BLANK_TABLES_BYTES,
  BIGRAMS_END_INDEX,
} from './testing/binary-language-model.js';

let folder: string;
const at = (name: string): string => join(folder, name);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zephyr-model-'));
  await writeFile(at('model'), buildBinaryLanguageModel({ the: 0.5, cat: 0.25, sat: 0.125, mat: 0.0625 }));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('writeExtendedLanguageModel', () => {
  it('adds words and leaves the rest of the model unchanged', async () => {
    await writeExtendedLanguageModel(at('model'), at('extended'), [
      { word: 'term:0', probability: 0.01 },
      { word: 'term:1', probability: 0.001 },
    ]);
    const known = await readUnigramProbabilities(at('extended'));
    const expected = { the: 0.5, mat: 0.0625, 'term:0': 0.01, 'term:1': 0.001 };
    for (const [word, value] of Object.entries(expected)) expect(known.get(word)).toBeCloseTo(value, 5);
    expect(known.size).toBe((await readUnigramProbabilities(at('model'))).size + 2);
    expect(known.has('dog')).toBe(false);

    const [before, after] = await Promise.all([readFile(at('model')), readFile(at('extended'))]);
    expect(after.length - before.length).toBe(2 * 12 + 2 * 'term:0\0'.length);
    const words = 32 + 4 + BLANK_TABLES_BYTES + 4 * 12;
    expect(after.subarray(32, words).equals(before.subarray(32, words))).toBe(true);
    const [was, is] = [before.subarray(words, words + 36), after.subarray(words + 24, words + 24 + 36)];
    expect(is.equals(was)).toBe(true);
  });

  it('an added word starts no bigram', async () => {
    await writeExtendedLanguageModel(at('model'), at('one more'), [{ word: 'term:0', probability: 0.01 }]);
    const bytes = await readFile(at('one more'));
    expect(bytes.readUInt32LE(32 + 4 + BLANK_TABLES_BYTES + 4 * 12 + 8)).toBe(BIGRAMS_END_INDEX);
  });

  it('rejects more words than the index bits allow', async () => {
    const four = ['a', 'b', 'c', 'd'].map((word) => ({ word, probability: 0.1 }));
    await expect(writeExtendedLanguageModel(at('model'), at('too many'), four)).rejects.toThrow(
      UnsupportedLanguageModelError,
    );
  });

  it('rejects other file types and truncated files', async () => {
    const whole = await readFile(at('model'));
    for (const bytes of [
      Buffer.from('\\data\\\nngram 1=5\n'),
      whole.subarray(0, -1),
      whole.subarray(0, 40),
    ]) {
      await writeFile(at('other'), bytes);
      await expect(readUnigramProbabilities(at('other'))).rejects.toThrow(UnsupportedLanguageModelError);
    }
  });
});
