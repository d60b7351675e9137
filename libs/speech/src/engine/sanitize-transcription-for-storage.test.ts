import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sanitizeTranscriptionForStorage } from './sanitize-transcription-for-storage.js';

const word = (text: string, confidence: number | null = 0.5) => ({
  text,
  start: 0,
  end: 1,
  confidence,
  language: null,
});
const clean = (...texts: string[]) =>
  sanitizeTranscriptionForStorage({ language: null, words: texts.map((text) => word(text)) }).words.map(
    ({ text }) => text,
  );

describe('sanitizeTranscriptionForStorage', () => {
  it('removes NUL and replaces lone surrogates, which Postgres rejects', () => {
    expect(clean('a\0b', '\0', 'x\ud800', '\udc00y', 'fine', '😀', 'naïve')).toEqual([
      'ab',
      'x\ufffd',
      '\ufffdy',
      'fine',
      '😀',
      'naïve',
    ]);
  });

  it('cleans languages, and leaves no confidence that is not a number', () => {
    const { language, words } = sanitizeTranscriptionForStorage({
      language: 'e\0n',
      words: [{ ...word('a', Number.NaN), language: '\0' }, word('b', null), word('c', 0.25)],
    });
    expect(language).toBe('en');
    expect(words.map(({ confidence }) => confidence)).toEqual([null, null, 0.25]);
    expect(words[0]?.language).toBeNull();
  });

  it('gives well-formed text without NUL for any text, and keeps text that is storable', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', minLength: 1 }),
        fc.integer({ min: 0xd800, max: 0xdfff }),
        (text, code) => {
          const [cleaned = ''] = clean(text + String.fromCharCode(code));
          expect(cleaned.includes('\0') || !cleaned.isWellFormed()).toBe(false);
          if (text.isWellFormed() && !text.includes('\0')) expect(clean(text)).toEqual([text]);
        },
      ),
    );
  });
});
