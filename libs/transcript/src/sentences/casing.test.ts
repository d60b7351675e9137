import { describe, expect, it } from 'vitest';
import { capitalise, settleCase } from './casing.js';

describe('settleCase', () => {
  it('brings a text in capitals down, figures or a stray word aside', () => {
    const words = 'FOUR SCORE AND SEVEN YEARS AGO 1863 OUR FATHERS CAME TO THE'.split(' ');
    expect(words.map(settleCase(words)).join(' ')).toBe(
      'four score and seven years ago 1863 our fathers came to the',
    );
  });

  it('leaves other texts alone, and short ones', () => {
    for (const words of [
      ['NASA', 'sent', 'a', 'probe', 'to', 'MARS'],
      ['OK'],
      ['你好', '世界', '一', '二', '三'],
    ]) {
      expect(words.map(settleCase(words))).toEqual(words);
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

  it.each(['ᾀδω', 'ﬁre', 'ŉ'])('leaves a letter alone whose capital is two letters: %s', (word) => {
    expect(capitalise(word)).toBe(word);
  });
});
