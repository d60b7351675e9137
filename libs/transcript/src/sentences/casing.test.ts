import { describe, expect, it } from 'vitest';
import { capitalise, createAllCapsTextLowercaser } from './casing.js';

describe('createAllCapsTextLowercaser', () => {
  it('lowers a text in capitals, ignoring numbers and single other words', () => {
    const words = 'FOUR SCORE AND SEVEN YEARS AGO 1863 OUR FATHERS CAME TO THE'.split(' ');
    expect(words.map(createAllCapsTextLowercaser(words)).join(' ')).toBe(
      'four score and seven years ago 1863 our fathers came to the',
    );
  });

  it('keeps other texts and short ones', () => {
    for (const words of [
      ['NASA', 'sent', 'a', 'probe', 'to', 'MARS'],
      ['OK'],
      ['你好', '世界', '一', '二', '三'],
    ]) {
      expect(words.map(createAllCapsTextLowercaser(words))).toEqual(words);
    }
  });
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
    expect(capitalise(word)).toBe(raised);
  });

  it.each(['ᾀδω', 'ﬁre', 'ŉ'])('keeps a letter whose capital is two letters: %s', (word) => {
    expect(capitalise(word)).toBe(word);
  });
});
