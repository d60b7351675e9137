import { describe, expect, it } from 'vitest';
import { selectHotwords } from './hotwords.js';

const PIECES = new Set(['▁', '▁ko', 'wal', 'czyk', '▁KO', 'x', '▁data', 'forge', '▁a', '▁b']);

describe('selectHotwords', () => {
  it('terms that the subwords can spell become hotwords, and the others are counted', () => {
    expect(selectHotwords(['Kowalczyk', 'Zoë', 'Data Qux'], PIECES)).toEqual({
      hotwords: 'kowalczyk',
      unusedTermCount: 2,
      terms: ['Kowalczyk'],
    });
    expect(selectHotwords(['xx', 'KOx'], PIECES).hotwords).toBe('xx/KOx/kox');
    expect(selectHotwords([], PIECES)).toEqual({ hotwords: undefined, unusedTermCount: 0, terms: [] });
  });

  it('a common word is no hotword, though an abbreviation that is spelled like it is', () => {
    const pieces = new Set(['▁us', '▁US', '▁may', '▁May', '▁MAY', '▁mayo']);
    expect(selectHotwords(['US', 'may'], pieces).hotwords?.split('/').toSorted()).toEqual([
      'MAY',
      'May',
      'US',
    ]);
    expect(selectHotwords(['us'], new Set(['▁us']))).toMatchObject({
      hotwords: undefined,
      unusedTermCount: 1,
    });
  });

  it('reserved characters of the library are removed from hotwords', () => {
    expect(selectHotwords(['a/b', ' a : b ', '/', ''], PIECES)).toMatchObject({
      hotwords: 'a b',
      unusedTermCount: 2,
    });
  });
});
