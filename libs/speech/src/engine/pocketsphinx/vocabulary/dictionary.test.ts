import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Dictionary } from './dictionary.js';

async function dictionaryOf(text: string): Promise<Dictionary> {
  const folder = await mkdtemp(join(tmpdir(), 'zephyr-dictionary-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, 'words.dict');
  await writeFile(path, text);
  return Dictionary.read(path);
}

describe('Dictionary', () => {
  it('knows every variant of a word, whatever the order of the lines', async () => {
    const dictionary = await dictionaryOf("tomato(2) T AH M AA\none's W AH N Z\ntomato T AH M EY\nbé B EY");
    expect(dictionary.soundsOf(['tomato', "one's", 'bé', 'tom', 'tomato(2)x', ''])).toEqual(
      new Map([
        ['tomato', ['T AH M EY', 'T AH M AA']],
        ["one's", ['W AH N Z']],
        ['bé', ['B EY']],
      ]),
    );
  });

  it('gives the lines of some words, with their variants, in the order of the file', async () => {
    const dictionary = await dictionaryOf(
      ';; notes\ntomato(2) T AH M AA\none W AH N\ntomato\tT AH M EY\nbé B EY',
    );
    const words = new Set(['bé', 'tomato', 'tom', 'two'].map((word) => Buffer.from(word).toString('latin1')));
    const lines = Buffer.from(dictionary.linesOf(words).join(''), 'latin1').toString();
    expect(lines).toBe('tomato(2) T AH M AA\ntomato\tT AH M EY\nbé B EY\n');
  });

  it('finds each of many, and none in an empty file or one of something else', async () => {
    const words = Array.from({ length: 5_000 }, (_, at) => `word${at}`);
    const dictionary = await dictionaryOf(words.map((word, at) => `${word} W ${at}\n`).join(''));
    expect([...dictionary.soundsOf(words)]).toEqual(words.map((word, at) => [word, [`W ${at}`]]));
    for (const text of ['', '\n\n\n', 'nothing', ' led by blanks'])
      expect((await dictionaryOf(text)).soundsOf(['nothing', 'led', ''])).toEqual(new Map());
  });
});
