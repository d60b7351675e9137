import { describe, expect, it } from 'vitest';
import { markPhraseSpaces } from './phrase-spaces.js';
import { splitIntoWords } from './split-into-words.js';

/** The words of a text, each that begins a phrase with a bar before it. */
const mark = (text: string, words = splitIntoWords(text)) =>
  markPhraseSpaces(
    words.map((word) => ({ text: word })),
    text,
  ).map((word) => (word.spaceBefore ? `|${word.text}` : word.text));

describe('markPhraseSpaces', () => {
  it.each([
    ['สวัสดีครับ ผมชื่อสมชาย', ['|สวัสดี', 'ครับ', '|ผม', 'ชื่อ', 'สมชาย']],
    ['ສະບາຍດີ ຂ້ອຍຊື່ສົມຊາຍ', ['|ສະບາຍດີ', '|ຂ້ອຍ', 'ຊື່', 'ສົມ', 'ຊາຍ']],
    ['សួស្តី ខ្ញុំឈ្មោះសុខ។ អរគុណ', ['|សួស្តី', '|ខ្ញុំ', 'ឈ្មោះ', 'សុខ។', '|អរគុណ']],
    ['နေကောင်းလား။ ကျွန်တော် ကောင်းပါတယ်။', ['|နေ', 'ကောင်း', 'လား။', '|ကျွန်တော်', '|ကောင်း', 'ပါ', 'တယ်။']],
  ])('marks the words that begin a phrase: %s', (text, words) => {
    expect(mark(text)).toEqual(words);
  });

  it('marks words after marks, numbers and other scripts as well, which a redaction may replace', () => {
    expect(mark('กินข้าว (ที่บ้าน) 500 บาทนะครับ ใช้ iPhone ทุกวัน')).toEqual([
      ...['|กิน', 'ข้าว', '|(ที่', 'บ้าน)', '500', '|บาท', 'นะ', 'ครับ', '|ใช้', 'iPhone', '|ทุก', 'วัน'],
    ]);
  });

  it('marks the first word only if the text has spaces between most words, which a tokenizer made', () => {
    expect(mark('ผม ชื่อ สมชาย ครับ')).toEqual(['|ผม', 'ชื่อ', 'สมชาย', 'ครับ']);
  });

  it('marks nothing in other scripts', () => {
    for (const text of ['Good morning, Anna.', '안녕 하세요', '你好 世界', '今日は 休みです。', ''])
      expect(mark(text).join(' ')).not.toContain('|');
  });

  it('marks nothing after a word that the text does not have', () => {
    const words = ['สวัสดี', 'ครับ', 'นาย', 'ผม', 'ชื่อ', 'สมชาย'];
    expect(mark('สวัสดีครับ ผมชื่อสมชาย', words)).toEqual(['|สวัสดี', ...words.slice(1)]);
  });
});
