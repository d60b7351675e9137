import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arbitraryWord } from '../testing/arbitraries.js';
import { sanitizeToSingleLine } from './sanitize-to-single-line.js';

describe('sanitizeToSingleLine', () => {
  it('keeps ordinary text of any script', () => {
    for (const text of ['word', "don't", 'naïve café', 'Größe', '你好', 'مرحبا', 'नमस्ते', '👩‍👩‍👧', 'a‌b']) {
      expect(sanitizeToSingleLine(text)).toBe(text);
    }
  });

  it('removes control characters, non-characters, byte order marks and direction overrides', () => {
    expect(sanitizeToSingleLine('a\u0000b\u001bc\u202ed\u2066e\ufefff\uffffg\u{1fffe}h')).toBe('abcdefgh');
  });

  it('collapses every kind of white space and trims', () => {
    expect(sanitizeToSingleLine(' a\r\n\tb\u2028c\u00a0d\u0085e ')).toBe('a b c d e');
  });

  it('replaces lone surrogates and keeps pairs', () => {
    expect(sanitizeToSingleLine('x\ud83dy\ude00z😀')).toBe('x\ufffdy\ufffdz😀');
  });

  it('is idempotent and never returns a lone surrogate', () => {
    fc.assert(
      fc.property(arbitraryWord, (text) => {
        const clean = sanitizeToSingleLine(text);
        expect(sanitizeToSingleLine(clean)).toBe(clean);
        expect(clean).not.toMatch(/\p{Surrogate}|\n|\r/u);
      }),
    );
  });
});
