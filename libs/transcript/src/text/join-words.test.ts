import { describe, expect, it } from 'vitest';
import { joinWords } from './join-words.js';

describe('joinWords', () => {
  it('puts spaces between words of scripts with spaces, including Korean', () => {
    expect(joinWords(['Good', 'morning', 'Größe', '안녕', '하세요'])).toBe('Good morning Größe 안녕 하세요');
  });

  it('puts no space inside scripts without spaces, but one between different scripts', () => {
    expect(joinWords(['你好', '世界', 'OK', '吗', '𠮷', '野'])).toBe('你好世界 OK 吗𠮷野');
    expect(joinWords(['สวัสดี', 'ครับ'])).toBe('สวัสดีครับ');
  });

  it('attaches punctuation that comes as separate words', () => {
    expect(joinWords(['Yes', ',', 'indeed', '!', '好', '。'])).toBe('Yes, indeed! 好。');
  });

  it('returns an empty text for no words', () => {
    expect(joinWords([])).toBe('');
  });
});
