import { describe, expect, it } from 'vitest';
import { joinWords } from './join.js';

describe('joinWords', () => {
  it('puts spaces between words of spaced scripts, Korean among them', () => {
    expect(joinWords(['Good', 'morning', 'Größe', '안녕', '하세요'])).toBe('Good morning Größe 안녕 하세요');
  });

  it('puts none between words of spaceless scripts, but one where scripts meet', () => {
    expect(joinWords(['你好', '世界', 'OK', '吗', '𠮷', '野'])).toBe('你好世界 OK 吗𠮷野');
    expect(joinWords(['สวัสดี', 'ครับ'])).toBe('สวัสดีครับ');
  });

  it('attaches marks that come as words of their own', () => {
    expect(joinWords(['Yes', ',', 'indeed', '!', '好', '。'])).toBe('Yes, indeed! 好。');
  });

  it('is empty for no words', () => {
    expect(joinWords([])).toBe('');
  });
});
