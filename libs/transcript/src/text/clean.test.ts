import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyWord } from '../testing/arbitraries.js';
import { cleanText } from './clean.js';

describe('cleanText', () => {
  it('leaves ordinary text of any script alone', () => {
    for (const text of ['word', "don't", 'naïve café', 'Größe', '你好', 'مرحبا', 'नमस्ते', '👩‍👩‍👧', 'a‌b']) {
      expect(cleanText(text)).toBe(text);
    }
  });

  it('takes out controls, non-characters, byte order marks and forced directions', () => {
    expect(cleanText('a\u0000b\u001bc\u202ed\u2066e\ufefff\uffffg\u{1fffe}h')).toBe('abcdefgh');
  });

  it('makes one space of every kind of white space and trims', () => {
    expect(cleanText(' a\r\n\tb\u2028c\u00a0d\u0085e ')).toBe('a b c d e');
  });

  it('replaces halves of characters and keeps whole ones', () => {
    expect(cleanText('x\ud83dy\ude00z😀')).toBe('x\ufffdy\ufffdz😀');
  });

  it('changes nothing the second time, and never leaves half a character', () => {
    fc.assert(
      fc.property(anyWord, (text) => {
        const clean = cleanText(text);
        expect(cleanText(clean)).toBe(clean);
        expect(clean).not.toMatch(/\p{Surrogate}|\n|\r/u);
      }),
    );
  });
});
