import { isConnector, MAX_CONNECTORS } from './connectors.js';
import type { SearchedWord } from './redaction-span.js';
import { isZeroLetter, parseDigitRepeatCount, parseSpokenDigits } from './spoken-digits.js';

/** What a word may add to a number. */
export interface NumericToken {
  /** Decimal digits. Empty for a word such as “double”. */
  digits: string;
  /** Such as 2 for “double”, which stands before a digit; null for another word. */
  repeat: number | null;
  /** A date, a time or an amount, which is never a part of a longer number. */
  standsAlone: boolean;
  /** A date, a decimal fraction, or an amount that is grouped by thousands. */
  isOtherNumber: boolean;
  /** A number word of another language, which alone is rather a word of this one: “once” in English. */
  isForeign: boolean;
}

const SEPARATORS = /[\s().,/\-–+'’*#]/gu;
const CURRENCY_OR_PERCENT = /[\p{Sc}%]/u;
const STANDS_ALONE = [
  /^\d{4}[-/.]\d{1,2}[-/.]\d{1,2}(T\d.*)?$/i,
  /^\d{1,2}[./-]\d{1,2}[./-]\d{4}$/,
  /^\d{1,2}:\d{2}(:\d{2})?$/,
  /^\D{0,3}\d{1,3}(?:,\d{3})+\.\d{1,2}\D{0,3}$/,
  /^\D{0,3}\d{1,3}(?:[.’']\d{3})+,\d{1,2}\D{0,3}$/u,
];
const OTHER_NUMBER = [
  /^\d{1,2}[./]\d{1,2}[./]\d{2}$/,
  /^\D{0,2}\d{1,2}[.,]\d+\D?$/,
  /^\D{0,2}\d{1,3}([.,’']\d{3})+\D?$/u,
];

export function readNumericTokens(words: readonly SearchedWord[]): (NumericToken | null)[] {
  const tokens = words.map(readToken);
  for (const [at, { text, language }] of words.entries()) {
    if (!isZeroLetter(text, language)) continue;
    const around = [findNumberBeside(words, tokens, at, -1), findNumberBeside(words, tokens, at, 1)];
    const isZero = around.every(
      (word) => word && (language === 'en' || text.toLowerCase() === 'oh' || isEnglishNumber(word)),
    );
    if (isZero) tokens[at] = spoken('0');
  }
  return tokens;
}

/** The word of a number before or after a zero letter, with only further ones and connectors between them. */
function findNumberBeside(
  words: readonly SearchedWord[],
  tokens: readonly (NumericToken | null)[],
  zero: number,
  step: 1 | -1,
): SearchedWord | null {
  for (let at = zero + step; Math.abs(at - zero) <= MAX_CONNECTORS + 1; at += step) {
    const [word, token] = [words[at], tokens[at]];
    if (!word || words[Math.min(at, at - step)]?.endsRun) return null;
    if (token) return token.standsAlone ? null : word;
    if (!isZeroLetter(word.text, word.language) && !isConnector(words, at)) return null;
  }
  return null;
}

/** “cinco o seis” is Spanish. */
function isEnglishNumber({ text }: SearchedWord): boolean {
  return (
    /^\d+$/.test(text) ||
    parseSpokenDigits(text, 'en') !== null ||
    parseDigitRepeatCount(text) !== null ||
    isZeroLetter(text, 'en')
  );
}

function readToken({ text, language }: SearchedWord): NumericToken | null {
  const digits = parseSpokenDigits(text, language);
  if (digits !== null) return spoken(digits);
  const foreignDigits = parseSpokenDigits(text, null);
  if (foreignDigits !== null) return { ...spoken(foreignDigits), isForeign: true };
  const repeat = parseDigitRepeatCount(text);
  if (repeat !== null) return { ...spoken(''), repeat };
  if (!/\p{N}/u.test(text)) return null;
  const standsAlone = CURRENCY_OR_PERCENT.test(text) || STANDS_ALONE.some((pattern) => pattern.test(text));
  return {
    digits: findLongestNumber(text),
    repeat: null,
    standsAlone,
    isOtherNumber: standsAlone || OTHER_NUMBER.some((pattern) => pattern.test(text)),
    isForeign: false,
  };
}

function spoken(digits: string): NumericToken {
  return { digits, repeat: null, standsAlone: false, isOtherNumber: false, isForeign: false };
}

/** Letters part numbers: “2024年5月”. */
function findLongestNumber(text: string): string {
  const numbers = toDecimalDigits(text)
    .split(/\p{L}+/u)
    .map((part) => part.replaceAll(SEPARATORS, '').replaceAll(/\D/gu, ''));
  return numbers.reduce((longest, number) => (number.length > longest.length ? number : longest), '');
}

/** Digits of any script as ASCII; the value of a digit is its distance from the zero of its block. */
function toDecimalDigits(text: string): string {
  return text.replaceAll(/\p{Nd}/gu, (digit) => {
    const code = digit.codePointAt(0) ?? 0;
    let zero = code;
    while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
    return String(code - zero);
  });
}
