import { describe, expect, it } from 'vitest';
import { symbolsOfBytes } from './byte-symbols.js';
import { groupWords } from './group-words.js';
import { piecesOf } from './pieces.js';

const NOTHING = { text: '', lang: '', timestamps: [], durations: [], ys_log_probs: [] };
const wordsOf = (tokens: string[], more: object = {}) =>
  groupWords(piecesOf({ ...NOTHING, tokens, ...more }, false));
const texts = (tokens: string[]) => wordsOf(tokens).map(({ text }) => text);

describe('groupWords', () => {
  it('begins a word where the vocabulary marks one, with a mark or a blank', () => {
    expect(texts([' good', ' mor', 'ning', ',', ' Ann', "'", 's', '.'])).toEqual([
      'good',
      'morning,',
      "Ann's.",
    ]);
    expect(texts(['▁good', '▁mor', 'ning'])).toEqual(['good', 'morning']);
  });

  it('takes a word from its first piece to where the next begins, or as long as the model says', () => {
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

  it('means the probabilities of a word, and invents none', () => {
    const halves = { ys_log_probs: [Math.log(0.9), Math.log(0.5), Math.log(0.125)] };
    const [to, morrow] = wordsOf([' to', ' mor', 'row'], halves);
    expect(to?.confidence).toBeCloseTo(0.9);
    expect(morrow?.confidence).toBeCloseTo(0.25);
    expect(wordsOf([' to'])[0]?.confidence).toBeNull();
  });

  it('puts characters together that were cut into bytes', () => {
    const timestamps = [0, 0.1, 0.2, 0.3, 0.4];
    expect(wordsOf([' caf', '<0xC3>', '<0xA9>', ' a', 'u'], { timestamps })).toMatchObject([
      { text: 'café', start: 0, end: 0.3 },
      { text: 'au', start: 0.3 },
    ]);
    expect(wordsOf(['<0xE4>', '<0xBD>', '<0xA0>'], { timestamps: [0.5, 0.6, 0.7] })).toMatchObject([
      { text: '你', start: 0.5 },
    ]);
  });

  it('drops bytes that make no character, and nothing else', () => {
    expect(texts([' so', '<0xC3>', ' it', '<0xFF>', ' ', '<0xFF>'])).toEqual(['so', 'it']);
    expect(texts([])).toEqual([]);
    expect(texts([' ', ''])).toEqual([]);
  });

  it('knows the words of scripts without blanks, with the marks behind them', () => {
    expect(texts(['我', '们', '明', '天', '见', '面', '。', '好'])).toEqual(['我们', '明天', '见面。', '好']);
    expect(texts(['「', '你', '好', '」', 'と'])).toEqual(['「你好」', 'と']);
    expect(texts([' 안녕', '하세요', ' 여러분'])).toEqual(['안녕하세요', '여러분']);
    expect(texts(['สวัสดี', 'ครับ'])).toEqual(['สวัสดี', 'ครับ']);
  });

  it('reads tokens that are written in symbols of bytes', () => {
    const tokens = [' 你好', ' é'].flatMap((text) =>
      [...Buffer.from(text)].map((byte) => symbolsOfBytes([byte])),
    );
    const heard = groupWords(piecesOf({ ...NOTHING, tokens }, true));
    expect(heard.map(({ text }) => text)).toEqual(['你好', 'é']);
  });
});
