import { describe, expect, it } from 'vitest';
import { capitalise, createAllCapsTextLowercaser } from './casing.js';

const lower = (words: string[], language: string | null = null) => {
  const lowercaser = createAllCapsTextLowercaser(words);
  return words.map((word) => lowercaser(word, language));
};

describe('createAllCapsTextLowercaser', () => {
  it('lowers a text in capitals, ignoring numbers and single other words', () => {
    const words = 'FOUR SCORE AND SEVEN YEARS AGO 1863 OUR FATHERS CAME TO THE'.split(' ');
    expect(lower(words).join(' ')).toBe('four score and seven years ago 1863 our fathers came to the');
  });

  it('keeps other texts and short ones', () => {
    for (const words of [
      ['NASA', 'sent', 'a', 'probe', 'to', 'MARS'],
      ['OK'],
      ['你好', '世界', '一', '二', '三'],
      ['NASA', 'ESA', 'JAXA', 'CNSA', 'ISRO'],
    ]) {
      expect(lower(words)).toEqual(words);
    }
  });
});

it('capitals follow the language', () => {
  const words = 'IŞIK VE İYİ BİR GÜN DİYE'.split(' ');
  expect(lower([...words, ...Array.from({ length: 30 }, () => 'IŞIK')], 'tr').slice(0, 6)).toEqual(
    'ışık ve iyi bir gün diye'.split(' '),
  );
  expect(['iyi', 'ışık'].map((word) => capitalise(word, 'tr-TR'))).toEqual(['İyi', 'Işık']);
  expect(capitalise('iyi', 'en')).toBe('Iyi');
});

describe('capitalise', () => {
  it.each([
    ['word', 'Word'],
    ["'tis", "'Tis"],
    ['éclair', 'Éclair'],
    ['iPhone', 'iPhone'],
    ['你好', '你好'],
    ['42nd', '42nd'],
    ['10am', '10am'],
    ['“4chan', '“4chan'],
    ['გამარჯობა', 'გამარჯობა'],
  ])('%s', (word, raised) => {
    expect(capitalise(word, null)).toBe(raised);
  });

  it.each(['ᾀδω', 'ﬁre', 'ŉ'])('keeps a letter whose capital is two letters: %s', (word) => {
    expect(capitalise(word, null)).toBe(word);
  });
});
