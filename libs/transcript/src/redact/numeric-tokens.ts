import { isConnector, MAX_CONNECTORS } from './connectors.js';
import type { BareWord } from './redaction-span.js';
import { isLetterReadAsZero, parseDigitRepeatCount, parseSpokenDigits } from '../numbers/spoken-digits.js';

/**
 * `wholeDateOrAmount` is a date, a time or an amount that is never a part of a longer number; `dateOrAmount` may be one: a short
 * date, a decimal fraction, or an amount that is grouped by thousands.
 */
type NumericForm = 'digits' | 'dateOrAmount' | 'wholeDateOrAmount';

/** What a word may add to a number. */
export interface NumericToken {
  /** Decimal digits. Empty for a word such as “double”. */
  digits: string;
  /** Such as 2 for “double”, which stands before a digit; null for another word. */
  repeat: number | null;
  form: NumericForm;
  /** A number word of another language, which alone is rather a word of this one: “once” in English. */
  isForeign: boolean;
}

const SEPARATORS = /[\s().,/\-–+'’*#]/gu;
/** A zero letter beside so many numbers is one, too. */
const MIN_ROW = 3;
const CURRENCY_OR_PERCENT = /[\p{Sc}%]/u;
const WHOLE_DATE_OR_AMOUNT = [
  /^\d{4}[-/.]\d{1,2}[-/.]\d{1,2}(T\d.*)?$/i,
  /^\d{1,2}[./-]\d{1,2}[./-]\d{4}$/,
  /^\d{1,2}:\d{2}(:\d{2})?$/,
  /^\D{0,3}\d{1,3}(?:,\d{3})+\.\d{1,2}\D{0,3}$/,
  /^\D{0,3}\d{1,3}(?:[.’']\d{3})+,\d{1,2}\D{0,3}$/u,
];
const DATE_OR_AMOUNT = [
  /^\d{1,2}[./]\d{1,2}[./]\d{2}$/,
  /^\D{0,2}\d{1,2}[.,]\d+\D?$/,
  /^\D{0,2}\d{1,3}([.,’']\d{3})+\D?$/u,
];

export function readNumericTokens(words: readonly BareWord[]): (NumericToken | null)[] {
  const tokens = words.map(readToken);
  const letters = [...words.entries()].filter(([, { text }]) => isLetterReadAsZero(text));
  for (const matches of [isBetweenNumbers, isBesideRowOfNumbers])
    for (const [at, { language }] of letters)
      if (matches(words, tokens, at))
        tokens[at] = { ...spoken('0'), isForeign: language !== null && language !== 'en' };
  return tokens;
}

function isBetweenNumbers(
  words: readonly BareWord[],
  tokens: readonly (NumericToken | null)[],
  zero: number,
): boolean {
  return ([-1, 1] as const).every((step) => {
    const beside = findNumberBeside(words, tokens, zero, step);
    return beside !== null && mayBeBesideZero(beside, words[zero]);
  });
}

/** “Oh, five people” is no number, and “oh seven nine four six” is one. */
function isBesideRowOfNumbers(
  words: readonly BareWord[],
  tokens: readonly (NumericToken | null)[],
  zero: number,
): boolean {
  return ([-1, 1] as const).some((step) => hasRowOfNumbers(words, tokens, zero, step));
}

/** Whether numbers alone follow the zero letter, or precede it, apart from further zero letters right beside it. */
function hasRowOfNumbers(
  words: readonly BareWord[],
  tokens: readonly (NumericToken | null)[],
  zero: number,
  step: 1 | -1,
): boolean {
  let count = 0;
  for (let at = zero + step; count < MIN_ROW; at += step) {
    if (Math.abs(at - zero) > MAX_CONNECTORS + MIN_ROW) return false;
    const [word, token] = [words[at], tokens[at] ?? null];
    if (!word || words[Math.min(at, at - step)]?.endsRun) return false;
    if (!token && count === 0 && isLetterReadAsZero(word.text)) continue;
    if (!mayBeInRow(word, token) || !mayBeBesideZero(word, words[zero])) return false;
    count += 1;
  }
  return true;
}

function mayBeInRow(word: BareWord, token: NumericToken | null): boolean {
  return token !== null && token.form !== 'wholeDateOrAmount' && !isHundredsWord(word, token);
}

/** A word such as “hundred”, with which people say amounts; not `001`, which may begin a phone number. */
function isHundredsWord({ text }: BareWord, { digits }: NumericToken): boolean {
  return !/\p{N}/u.test(text) && digits.startsWith('00');
}

/** “cinco o seis” is Spanish, and with an unknown language “oh” is most likely English. */
function mayBeBesideZero(number: BareWord, zero: BareWord | undefined): boolean {
  if (zero?.language === 'en') return true;
  if (zero?.language === null) return zero.text.toLowerCase() === 'oh' || isEnglishNumber(number);
  return isEnglishNumberWord(number);
}

/** The word of a number before or after a zero letter, with only further ones and connectors between them. */
function findNumberBeside(
  words: readonly BareWord[],
  tokens: readonly (NumericToken | null)[],
  zero: number,
  step: 1 | -1,
): BareWord | null {
  for (let at = zero + step; Math.abs(at - zero) <= MAX_CONNECTORS + 1; at += step) {
    const [word, token] = [words[at], tokens[at]];
    if (!word || words[Math.min(at, at - step)]?.endsRun) return null;
    if (token) return token.form === 'wholeDateOrAmount' ? null : word;
    if (!isLetterReadAsZero(word.text) && !isConnector(words, at)) return null;
  }
  return null;
}

function isEnglishNumber(word: BareWord): boolean {
  return /^\d+$/.test(word.text) || isEnglishNumberWord(word) || parseDigitRepeatCount(word.text) !== null;
}

function isEnglishNumberWord({ text }: BareWord): boolean {
  return parseSpokenDigits(text, 'en') !== null || isLetterReadAsZero(text);
}

function readToken({ text, language }: BareWord): NumericToken | null {
  const digits = parseSpokenDigits(text, language);
  if (digits !== null) return spoken(digits);
  const foreignDigits = language === null ? null : parseSpokenDigits(text, null);
  if (foreignDigits !== null) return { ...spoken(foreignDigits), isForeign: true };
  const repeat = parseDigitRepeatCount(text);
  if (repeat !== null) return { ...spoken(''), repeat };
  if (!/\p{N}/u.test(text)) return null;
  return { digits: findLongestNumber(text), repeat: null, form: findForm(text), isForeign: false };
}

function findForm(text: string): NumericForm {
  const isOne = (pattern: RegExp): boolean => pattern.test(text);
  if (CURRENCY_OR_PERCENT.test(text) || WHOLE_DATE_OR_AMOUNT.some(isOne)) return 'wholeDateOrAmount';
  return DATE_OR_AMOUNT.some(isOne) ? 'dateOrAmount' : 'digits';
}

function spoken(digits: string): NumericToken {
  return { digits, repeat: null, form: 'digits', isForeign: false };
}

export function isDateOrAmount({ form }: NumericToken): boolean {
  return form !== 'digits';
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
