import { describe, expect, it } from 'vitest';
import { restoreTermSpelling, buildHotwords } from './hotwords.js';

const PIECES = new Set(['▁', '▁ko', 'wal', 'czyk', '▁KO', 'x', '▁data', 'forge', '▁a', '▁b']);
const word = (text: string) => ({ text, start: 0, end: 1, confidence: null, language: null });
const restored = (line: string, ...terms: string[]) =>
  restoreTermSpelling(line.split(' ').map(word), terms).map(({ text }) => text);

describe('buildHotwords', () => {
  it('terms that the subwords can spell become hotwords, and the others are counted', () => {
    expect(buildHotwords(['Kowalczyk', 'Zoë', 'Data Qux'], PIECES)).toEqual({
      hotwords: 'kowalczyk',
      unusedTerms: 2,
      terms: ['Kowalczyk'],
    });
    expect(buildHotwords(['xx', 'KOx'], PIECES).hotwords).toBe('xx/KOx/kox');
    expect(buildHotwords([], PIECES)).toEqual({ hotwords: undefined, unusedTerms: 0, terms: [] });
  });

  it('reserved characters of the library are removed from hotwords', () => {
    expect(buildHotwords(['a/b', ' a : b ', '/', ''], PIECES)).toMatchObject({
      hotwords: 'a b',
      unusedTerms: 2,
    });
  });
});

describe('restoreTermSpelling', () => {
  it('terms get the spelling of the caller, and other words and punctuation stay unchanged', () => {
    expect(restored('ask mister KOWALCZYK, or kowalczyk.', 'Kowalczyk')).toEqual([
      'ask',
      'mister',
      'Kowalczyk,',
      'or',
      'Kowalczyk.',
    ]);
    expect(restored('the data forge data', 'Data Forge')).toEqual(['the', 'Data', 'Forge', 'data']);
    expect(restored('data', 'Data Forge')).toEqual(['data']);
    expect(restored('a data forge kowalczyk', 'Data Forge', 'Kowalczyk').slice(1)).toEqual([
      'Data',
      'Forge',
      'Kowalczyk',
    ]);
  });

  it('nothing changes without terms', () => {
    expect(restored('so it - is', '!', ' ')).toEqual(['so', 'it', '-', 'is']);
  });
});
