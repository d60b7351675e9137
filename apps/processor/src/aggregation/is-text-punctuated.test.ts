import { expect, it } from 'vitest';
import { isTextPunctuated } from './is-text-punctuated.js';

const say = (text: string) => ({
  words: text.split(' ').map((word, at) => ({
    ...{ text: word, start: at, end: at + 0.5, confidence: null, language: null },
  })),
});
const FEW = 'so we met at the office again';
const MANY = Array.from({ length: 5 }, () => FEW).join(' ');

it.each([
  [`${MANY} and left.`, true],
  [`${MANY} well, yes`, true],
  ['он сказал «да.» '.repeat(40).trim(), true],
  [FEW, true],
  [MANY, false],
  [MANY.toUpperCase(), false],
  ['ครับ '.repeat(40).trim(), true],
])('a text is punctuated if it has a mark, or too few words to say: %s', (text, expected) => {
  expect(isTextPunctuated([say(FEW), say(text)] as never)).toBe(expected);
});
