import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { findPronunciations } from './pronunciation-dictionary.js';

async function pronunciationsIn(text: string, words: string[]): Promise<Map<string, string[]>> {
  const folder = await mkdtemp(join(tmpdir(), 'zephyr-dictionary-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, 'words.dict');
  await writeFile(path, text);
  return findPronunciations(path, new Set(words));
}

describe('findPronunciations', () => {
  it('finds every variant of a word, whatever the line order', async () => {
    const text = ";; notes\ntomato(2) T AH M AA\none's W AH N Z\ntomato T AH M EY\nbé B EY";
    expect(await pronunciationsIn(text, ['tomato', "one's", 'bé', 'tom', 'tomato(2)x', ''])).toEqual(
      new Map([
        ['tomato', ['T AH M EY', 'T AH M AA']],
        ["one's", ['W AH N Z']],
        ['bé', ['B EY']],
      ]),
    );
  });

  it('finds each of many words, and none in an empty or invalid file', async () => {
    const words = Array.from({ length: 5_000 }, (_, at) => `word${at}`);
    const found = await pronunciationsIn(words.map((word, at) => `${word} W ${at}\n`).join(''), words);
    expect([...found]).toEqual(words.map((word, at) => [word, [`W ${at}`]]));
    for (const text of ['', '\n\n\n', 'nothing', ' led by blanks'])
      expect(await pronunciationsIn(text, ['nothing', 'led', ''])).toEqual(new Map());
  });
});
