import { describe, expect, it } from 'vitest';
import { encodeBytesAsSymbols } from './byte-symbols.js';
import { extractTokenBytesAndTimes, groupTokensIntoWords } from './group-tokens-into-words.js';

const NOTHING = { text: '', lang: '', timestamps: [], durations: [], ys_log_probs: [] };
const wordsOf = (tokens: string[], more: object = {}) =>
  groupTokensIntoWords(extractTokenBytesAndTimes({ ...NOTHING, tokens, ...more }, false));
const texts = (tokens: string[]) => wordsOf(tokens).map(({ text }) => text);

describe('groupTokensIntoWords', () => {
  it('a word starts at a word mark or a blank', () => {
    expect(texts([' good', ' mor', 'ning', ',', ' Ann', "'", 's', '.'])).toEqual([
      'good',
      'morning,',
      "Ann's.",
    ]);
    expect(texts(['▁good', '▁mor', 'ning'])).toEqual(['good', 'morning']);
  });

  it('a word lasts from its first token to the next word or for the duration of the model', () => {
    const tokens = [' to', ' mor', 'row'];
    expect(wordsOf(tokens, { timestamps: [0.2, 0.5, 0.9] })).toMatchObject([
      { start: 0.2, end: 0.5 },
      { start: 0.5, end: null },
    ]);
    expect(wordsOf(tokens, { timestamps: [0.2, 0.5, 0.9], durations: [0.08, 0.16, 0.25] })).toMatchObject([
      { start: 0.2, end: 0.28 },
      { start: 0.5, end: 1.15 },
    ]);
    expect(wordsOf(tokens)).toMatchObject([
      { start: null, end: null },
      { start: null, end: null },
    ]);
  });

  it('the confidence is the mean token probability, or null when one is missing', () => {
    const halves = { ys_log_probs: [Math.log(0.9), Math.log(0.5), Math.log(0.125)] };
    const [to, morrow] = wordsOf([' to', ' mor', 'row'], halves);
    expect(to?.confidence).toBeCloseTo(0.9);
    expect(morrow?.confidence).toBeCloseTo(0.25);
    expect(wordsOf([' to'])[0]?.confidence).toBeNull();
  });

  it('characters that are split into byte tokens are joined', () => {
    const timestamps = [0, 0.1, 0.2, 0.3, 0.4];
    expect(wordsOf([' caf', '<0xC3>', '<0xA9>', ' a', 'u'], { timestamps })).toMatchObject([
      { text: 'café', start: 0, end: 0.3 },
      { text: 'au', start: 0.3 },
    ]);
    expect(wordsOf(['<0xE4>', '<0xBD>', '<0xA0>'], { timestamps: [0.5, 0.6, 0.7] })).toMatchObject([
      { text: '你', start: 0.5 },
    ]);
  });

  it('a space between phrases of a script without spaces between words is kept', () => {
    const words = wordsOf(['▁สวัสดี', 'ครับ', '▁ผม', 'ชื่อ', 'สมชาย']);
    expect(words.map(({ text, spaceBefore = false }) => [text, spaceBefore])).toEqual([
      ['สวัสดี', true],
      ['ครับ', false],
      ['ผม', true],
      ['ชื่อ', false],
      ['สมชาย', false],
    ]);
  });

  it('only bytes that form no character are dropped', () => {
    expect(texts([' so', '<0xC3>', ' it', '<0xFF>', ' ', '<0xFF>'])).toEqual(['so', 'it']);
    expect(texts([])).toEqual([]);
    expect(texts([' ', ''])).toEqual([]);
    expect(texts(['<|startofcontext|>', '▁so', '<|en|>', '▁it'])).toEqual(['so', 'it']);
  });

  it('scripts without spaces are segmented into words with their punctuation', () => {
    expect(texts(['我', '们', '明', '天', '见', '面', '。', '好'])).toEqual(['我们', '明天', '见面。', '好']);
    expect(texts(['「', '你', '好', '」', 'と'])).toEqual(['「你好」', 'と']);
    expect(texts([' 안녕', '하세요', ' 여러분'])).toEqual(['안녕하세요', '여러분']);
    expect(texts(['สวัสดี', 'ครับ'])).toEqual(['สวัสดี', 'ครับ']);
  });

  it('tokens in byte symbols are decoded', () => {
    const tokens = [' 你好', ' é'].flatMap((text) =>
      [...Buffer.from(text)].map((byte) => encodeBytesAsSymbols([byte])),
    );
    const words = groupTokensIntoWords(extractTokenBytesAndTimes({ ...NOTHING, tokens }, true));
    expect(words.map(({ text }) => text)).toEqual(['你好', 'é']);
  });
});
