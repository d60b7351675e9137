import { describe, expect, it } from 'vitest';
import type { RecognizedWordWithoutLanguage } from './engine.js';
import { joinPartsOfUnspacedWords } from './join-parts-of-unspaced-words.js';

/** A part each tenth of a second. */
function speak(...parts: string[]): RecognizedWordWithoutLanguage[] {
  return parts.map((text, at) => ({ text, start: at / 10, end: (at + 1) / 10, confidence: 0.9 }));
}

const textsOf = (words: readonly RecognizedWordWithoutLanguage[]) => words.map(({ text }) => text);

describe('joinPartsOfUnspacedWords', () => {
  it('joins characters to words, with the time from the first to the last of them', () => {
    const words = joinPartsOfUnspacedWords(speak('コ', 'ー', 'ヒ', 'ー', 'を', '飲', 'む', '。'));
    expect(words.map(({ text, start, end }) => [text, start, end])).toEqual([
      ['コーヒー', 0, 0.4],
      ['を', 0.4, 0.5],
      ['飲む。', 0.5, 0.8],
    ]);
  });

  it('looks at each part only with the words of which it is one', () => {
    let reads = 0;
    const parts = speak(...'我们今天去北京'.repeat(500)).map(({ text, ...word }) => ({
      ...word,
      get text() {
        reads += 1;
        return text;
      },
    }));
    expect(textsOf(joinPartsOfUnspacedWords(parts)).join('')).toBe('我们今天去北京'.repeat(500));
    expect(reads).toBeLessThan(40 * parts.length);
  });

  it('divides a part of several words by the length of these', () => {
    const words = joinPartsOfUnspacedWords([
      { text: '我们今天', start: 1, end: 3, confidence: null },
      { text: '去', start: 3, end: 3.5, confidence: null },
    ]);
    expect(words).toEqual([
      { text: '我们', start: 1, end: 2, confidence: null },
      { text: '今天', start: 2, end: 3, confidence: null },
      { text: '去', start: 3, end: 3.5, confidence: null },
    ]);
  });

  it('the confidence is the geometric mean of the parts, and null if that of one is unknown', () => {
    const [first, second] = speak('语', '音');
    const join = (confidence: number | null) =>
      joinPartsOfUnspacedWords([first!, { ...second!, confidence }])[0]?.confidence;
    expect(join(0.4)).toBeCloseTo(0.6, 6);
    expect(join(null)).toBeNull();
  });

  it('joins nothing across a pause, and nothing of scripts with spaces', () => {
    const [first, second] = speak('语', '音');
    const apart = [first!, { ...second!, start: 2, end: 2.1 }];
    expect(textsOf(joinPartsOfUnspacedWords(apart))).toEqual(['语', '音']);
    const mixed = speak('good', 'mor', 'ning', '안녕', '하세요', '你', '好', 'OK');
    expect(textsOf(joinPartsOfUnspacedWords(mixed))).toEqual([
      ...['good', 'mor', 'ning', '안녕', '하세요', '你好', 'OK'],
    ]);
  });

  it('keeps whose confidence it is, and where an estimated word may be', () => {
    const estimatedWithin = { start: 0, end: 5 };
    const parts = speak('语', '音').map((word) => ({
      ...word,
      confidenceOf: 'segment' as const,
      estimatedWithin,
    }));
    expect(joinPartsOfUnspacedWords(parts)).toMatchObject([
      { text: '语音', confidenceOf: 'segment', estimatedWithin },
    ]);
  });
});
