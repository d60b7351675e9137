import { describe, expect, it } from 'vitest';
import { joinSentences, joinWords as joinSpacedWords } from './join-words.js';

const joinWords = (texts: readonly string[]) => joinSpacedWords(texts.map((text) => ({ text })));

describe('joinWords', () => {
  it('puts spaces between words of scripts with spaces, including Korean', () => {
    expect(joinWords(['Good', 'morning', 'Größe', '안녕', '하세요'])).toBe('Good morning Größe 안녕 하세요');
  });

  it('puts no space inside scripts without spaces, but one between different scripts', () => {
    expect(joinWords(['你好', '世界', 'OK', '吗', '𠮷', '野'])).toBe('你好世界 OK 吗𠮷野');
    expect(joinWords(['สวัสดี', 'ครับ'])).toBe('สวัสดีครับ');
  });

  it.each([
    ['コーヒー', 'を', '飲む'],
    ['彼', 'は', '「はい」', 'と', '言う'],
    ['コーヒー・', 'ショップ', 'で'],
    ['他', '说:', '“好的”,', '然后', '走了'],
    ['2024', '年', '5', '月', 'は', '50%', 'の'],
    ['《红楼梦》—', '小说'],
    ['你好😀', '世界'],
    ['うん…', '行く。', 'OK'],
  ])('puts no space between words of Chinese and Japanese, marks and numbers: %s %s', (...words) => {
    expect(joinWords(words)).toBe(words.join(''));
  });

  it('puts a space between phrases of Thai and its neighbours, not of Chinese', () => {
    const spaced = (...texts: string[]) =>
      joinSpacedWords(texts.map((text) => ({ text, spaceBefore: true })));
    expect(spaced('สวัสดีครับ', 'ผม', '(สมชาย)')).toBe('สวัสดีครับ ผม (สมชาย)');
    expect(spaced('នេះ', 'ខ្ញុំ', '你好', '世界')).toBe('នេះ ខ្ញុំ你好世界');
  });

  it('attaches punctuation that comes as separate words', () => {
    expect(joinWords(['Yes', ',', 'indeed', '!', '好', '。'])).toBe('Yes, indeed! 好。');
  });

  it('keeps the space after marks of scripts with spaces', () => {
    expect(joinWords(['“Yes,”', '(he)', 'said,', '—', '“no.”'])).toBe('“Yes,” (he) said, — “no.”');
    expect(joinWords(['…', 'and', '3', '“more”'])).toBe('… and 3 “more”');
  });

  it('returns an empty text for no words', () => {
    expect(joinWords([])).toBe('');
  });
});

describe('joinSentences', () => {
  it('separates sentences of scripts that have neither spaces nor full stops', () => {
    expect(joinSentences(['สวัสดีครับ', 'ผมชื่อสมชาย'])).toBe('สวัสดีครับ ผมชื่อสมชาย');
    expect(joinSentences(['你好。', '我在北京。', 'Yes.', 'OK.'])).toBe('你好。我在北京。Yes. OK.');
  });
});
