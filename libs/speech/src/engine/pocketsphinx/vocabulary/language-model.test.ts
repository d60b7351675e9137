import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { extendLanguageModel, LanguageModelUnknown, likelihoods } from './language-model.js';

let folder: string;
const at = (name: string): string => join(folder, name);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zephyr-model-'));
  await writeFile(at('model'), model({ the: 0.5, cat: 0.25, sat: 0.125, mat: 0.0625 }));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const BLANK_TABLES = 3 * 65_536 * 4;
const PAIRS_END = 9;

/** A model of single words, with room for the pairs and triples of none. */
function model(words: Record<string, number>): Buffer {
  const names = Object.keys(words);
  const head = Buffer.concat([Buffer.from('Trie Language Model'), Buffer.of(3), numbers(names.length, 0, 0)]);
  const rows = Object.values(words).map((likelihood) => row(likelihood, PAIRS_END));
  // One entry each that ends the pairs and the triples, and eight bytes more: 3 + 32 + 0 bits, 3 + 16 bits.
  const packed = Buffer.from(Array.from({ length: 5 + 8 + 3 + 8 }, (_, index) => index));
  const text = Buffer.from(names.map((name) => `${name}\0`).join(''));
  const tables = [numbers(1), Buffer.alloc(BLANK_TABLES)];
  return Buffer.concat([head, ...tables, ...rows, row(1, PAIRS_END), packed, numbers(text.length), text]);
}

function row(likelihood: number, next: number): Buffer {
  const bytes = Buffer.alloc(12);
  bytes.writeFloatLE(Math.log(likelihood) / Math.log(1.0001), 0);
  bytes.writeUInt32LE(next, 8);
  return bytes;
}

function numbers(...values: number[]): Buffer {
  return Buffer.concat(
    values.map((value) => {
      const bytes = Buffer.alloc(4);
      bytes.writeUInt32LE(value);
      return bytes;
    }),
  );
}

describe('extendLanguageModel', () => {
  it('adds words, and leaves everything else as it was', async () => {
    await extendLanguageModel(at('model'), at('extended'), [
      { word: 'term:0', probability: 0.01 },
      { word: 'term:1', probability: 0.001 },
    ]);
    const known = await likelihoods(at('extended'));
    const expected = { the: 0.5, mat: 0.0625, 'term:0': 0.01, 'term:1': 0.001 };
    for (const [word, value] of Object.entries(expected)) expect(known.get(word)).toBeCloseTo(value, 5);
    expect(known.size).toBe((await likelihoods(at('model'))).size + 2);
    expect(known.has('dog')).toBe(false);

    const [before, after] = await Promise.all([readFile(at('model')), readFile(at('extended'))]);
    expect(after.length - before.length).toBe(2 * 12 + 2 * 'term:0\0'.length);
    const words = 32 + 4 + BLANK_TABLES + 4 * 12;
    expect(after.subarray(32, words).equals(before.subarray(32, words))).toBe(true);
    const [was, is] = [before.subarray(words, words + 36), after.subarray(words + 24, words + 24 + 36)];
    expect(is.equals(was)).toBe(true);
  });

  it('lets a new word begin no pair', async () => {
    await extendLanguageModel(at('model'), at('one more'), [{ word: 'term:0', probability: 0.01 }]);
    const bytes = await readFile(at('one more'));
    expect(bytes.readUInt32LE(32 + 4 + BLANK_TABLES + 4 * 12 + 8)).toBe(PAIRS_END);
  });

  it('refuses more words than their numbers have bits for', async () => {
    const four = ['a', 'b', 'c', 'd'].map((word) => ({ word, probability: 0.1 }));
    await expect(extendLanguageModel(at('model'), at('too many'), four)).rejects.toThrow(
      LanguageModelUnknown,
    );
  });

  it('refuses a file of another kind, or one that ends early', async () => {
    const whole = await readFile(at('model'));
    for (const bytes of [
      Buffer.from('\\data\\\nngram 1=5\n'),
      whole.subarray(0, -1),
      whole.subarray(0, 40),
    ]) {
      await writeFile(at('other'), bytes);
      await expect(likelihoods(at('other'))).rejects.toThrow(LanguageModelUnknown);
    }
  });
});
