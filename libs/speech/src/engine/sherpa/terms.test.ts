import { describe, expect, it } from 'vitest';
import { restoreTerms, spellTerms } from './terms.js';

const PIECES = new Set(['▁', '▁ko', 'wal', 'czyk', '▁KO', 'x', '▁data', 'forge', '▁a', '▁b']);
const word = (text: string) => ({ text, start: 0, end: 1, confidence: null, language: null });
const restored = (line: string, ...terms: string[]) =>
  restoreTerms(line.split(' ').map(word), terms).map(({ text }) => text);

describe('spellTerms', () => {
  it('listens for what the pieces can spell, in any case, and counts the rest', () => {
    expect(spellTerms(['Kowalczyk', 'Zoë', 'Data Qux'], PIECES)).toEqual({
      hotwords: 'kowalczyk',
      unusedTerms: 2,
      terms: ['Kowalczyk'],
    });
    expect(spellTerms(['xx', 'KOx'], PIECES).hotwords).toBe('xx/KOx/kox');
    expect(spellTerms([], PIECES)).toEqual({ hotwords: undefined, unusedTerms: 0, terms: [] });
  });

  it('keeps signs of the library’s own out of its phrases', () => {
    expect(spellTerms(['a/b', ' a : b ', '/', ''], PIECES)).toMatchObject({
      hotwords: 'a b',
      unusedTerms: 2,
    });
  });
});

describe('restoreTerms', () => {
  it('writes terms as they were given, and leaves marks and other words alone', () => {
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

  it('changes nothing without terms', () => {
    expect(restored('so it - is', '!', ' ')).toEqual(['so', 'it', '-', 'is']);
  });
});
