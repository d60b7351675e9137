import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { PronunciationDictionary, sortForLoading } from './pronunciation-dictionary.js';

async function dictionaryOf(text: string): Promise<PronunciationDictionary> {
  const folder = await mkdtemp(join(tmpdir(), 'zephyr-dictionary-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, 'words.dict');
  await writeFile(path, text);
  return PronunciationDictionary.read(path);
}

describe('PronunciationDictionary', () => {
  it('finds every variant of a word, whatever the line order', async () => {
    const dictionary = await dictionaryOf("tomato(2) T AH M AA\none's W AH N Z\ntomato T AH M EY\nbé B EY");
    expect(dictionary.findPronunciations(['tomato', "one's", 'bé', 'tom', 'tomato(2)x', ''])).toEqual(
      new Map([
        ['tomato', ['T AH M EY', 'T AH M AA']],
        ["one's", ['W AH N Z']],
        ['bé', ['B EY']],
      ]),
    );
  });

  it('returns the lines of given words and their variants in file order', async () => {
    const dictionary = await dictionaryOf(
      ';; notes\ntomato(2) T AH M AA\none W AH N\ntomato\tT AH M EY\nbé B EY',
    );
    const words = new Set(['bé', 'tomato', 'tom', 'two'].map((word) => Buffer.from(word).toString('latin1')));
    const lines = Buffer.from(dictionary.linesFor(words).join(''), 'latin1').toString();
    expect(lines).toBe('tomato(2) T AH M AA\ntomato\tT AH M EY\nbé B EY\n');
  });

  it('finds each of many words, and none in an empty or invalid file', async () => {
    const words = Array.from({ length: 5_000 }, (_, at) => `word${at}`);
    const dictionary = await dictionaryOf(words.map((word, at) => `${word} W ${at}\n`).join(''));
    expect([...dictionary.findPronunciations(words)]).toEqual(words.map((word, at) => [word, [`W ${at}`]]));
    for (const text of ['', '\n\n\n', 'nothing', ' led by blanks'])
      expect((await dictionaryOf(text)).findPronunciations(['nothing', 'led', ''])).toEqual(new Map());
  });
});

describe('sortForLoading', () => {
  it('words with the commonest first two phones come first, otherwise the order is stable', () => {
    const lines = ['ant AE N T', 'bat B AE T', 'oh OW', 'bad B AE D', 'and AE N D', 'ban B AE N'];
    expect(sortForLoading(lines)).toEqual([
      ...['bat B AE T', 'bad B AE D', 'ban B AE N'],
      ...['ant AE N T', 'and AE N D'],
      'oh OW',
    ]);
  });

  it('variants come after all words', () => {
    const lines = ['a(2) EY', 'a AH', 'bat B AE T', 'bat(2) P AE T', 'bad B AE D'];
    expect(sortForLoading(lines)).toEqual(['bat B AE T', 'bad B AE D', 'a AH', 'a(2) EY', 'bat(2) P AE T']);
  });

  it('no line is lost, not even an invalid one', () => {
    const lines = ['', ';; notes', 'x', 'x(2) Y'];
    expect(sortForLoading(lines).toSorted()).toEqual(lines);
    expect(sortForLoading([])).toEqual([]);
  });
});
