import { isCreditCard, isIBAN, isIP } from 'class-validator';
import type { RedactionKind } from './redaction-kinds.js';
import type { RedactionSpan } from './redaction-span.js';
import {
  isAmbiguousNumberWord,
  isThousandOrMillionWord,
  joinSpokenDigits,
  parseDigitRepeatCount,
  parseSpokenDigits,
} from './spoken-digits.js';

const MIN_PHONE_DIGITS = 7;
const MIN_CARD_DIGITS = 13;
const MAX_PHONE_DIGITS = 15;

/** May stand between the digits of one number. */
const CONNECTORS = new Set([
  ...[
    '',
    '-',
    '–',
    '/',
    'dot',
    'point',
    'punkt',
    'punto',
    'dash',
    'hyphen',
    'minus',
    'strich',
    'tiret',
    'guión',
  ],
  ...['space', 'slash', 'plus', 'uh', 'um', 'uhm', 'erm', 'er', 'äh', 'ähm', 'euh'],
]);
/** Only between spoken numbers, as in “two hundred and five”: “2019 and 2020” are two. */
const CONJUNCTIONS = new Set(['and', 'und', 'et', 'y']);
const DOTS = new Set(['dot', 'point', 'punkt', 'punto', '.']);

const SEPARATORS = /[\s().,/\-–+'’*#]/gu;
const CURRENCY_OR_PERCENT = /[\p{Sc}%]/gu;
const IBAN_LIKE = /[A-Z]{2}\d{2}[A-Z\d]{11,30}/;

interface NumericToken {
  /** Decimal digits, and letters that may be part of an IBAN. */
  characters: string;
}

/**
 * Finds runs of digits, written or spoken, over the words around them; of several kinds the most special one.
 * @param words without punctuation at their edges
 */
export function findNumericKindSpans(
  words: readonly string[],
  kinds: ReadonlySet<RedactionKind>,
): RedactionSpan[] {
  const spans: RedactionSpan[] = [];
  const tokens = words.map(readToken);
  for (let at = 0; at < words.length; at += 1) {
    if (!tokens[at]) continue;
    const end = findRunEnd(words, tokens, at);
    spans.push(...classifyRun(words, tokens, at, end, kinds));
    at = end - 1;
  }
  return spans;
}

function readToken(word: string): NumericToken | null {
  const spoken = parseSpokenDigits(word);
  if (spoken !== null) return { characters: spoken };
  if (/^\p{L}$/u.test(word)) return { characters: word.toUpperCase() };
  if (parseDigitRepeatCount(word) !== null) return { characters: '' };
  if (!/\p{N}/u.test(word)) return null;
  const bare = toDecimalDigits(word.replaceAll(SEPARATORS, '').replaceAll(CURRENCY_OR_PERCENT, ''));
  return { characters: bare.toUpperCase() };
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

/** Connectors and further digits up to the last numeric word. */
function findRunEnd(
  words: readonly string[],
  tokens: readonly (NumericToken | null)[],
  start: number,
): number {
  let end = start + 1;
  for (let at = end; at < words.length && at - end < 3; at += 1) {
    if (tokens[at]) end = at + 1;
    else if (!isConnector(words, at)) break;
  }
  return end;
}

function isConnector(words: readonly string[], at: number): boolean {
  const word = words[at]?.toLowerCase() ?? '';
  if (!CONJUNCTIONS.has(word)) return CONNECTORS.has(word);
  return [words[at - 1], words[at + 1]].every((each) => parseSpokenDigits(each ?? '') !== null);
}

function classifyRun(
  words: readonly string[],
  tokens: readonly (NumericToken | null)[],
  start: number,
  end: number,
  kinds: ReadonlySet<RedactionKind>,
): RedactionSpan[] {
  const characters = joinSpokenDigits(readRun(words, tokens, start, end));
  if (!/\d/.test(characters)) return [];
  if (kinds.has('iban') && looksLikeIban(characters)) return [{ kind: 'iban', start, end }];
  // Letters beside the digits belong to an IBAN only.
  const isNumeric = (at: number) => /\d/.test(tokens[at]?.characters ?? '');
  let [from, to] = [start, end];
  while (from < to && !isNumeric(from) && parseDigitRepeatCount(words[from] ?? '') === null) from += 1;
  while (to > from && !isNumeric(to - 1)) to -= 1;
  const kind = chooseKind(words.slice(from, to), characters.replaceAll(/\D/gu, ''), kinds);
  return kind === null ? [] : [{ kind, start: from, end: to }];
}

function readRun(
  words: readonly string[],
  tokens: readonly (NumericToken | null)[],
  start: number,
  end: number,
): string[] {
  const parts: string[] = [];
  let repeat = 1;
  for (let at = start; at < end; at += 1) {
    const repetition = parseDigitRepeatCount(words[at] ?? '');
    const token = tokens[at];
    if (repetition !== null) repeat = repetition;
    else if (token) {
      parts.push(token.characters.repeat(repeat));
      repeat = 1;
    }
  }
  return parts;
}

function chooseKind(
  run: readonly string[],
  digits: string,
  kinds: ReadonlySet<RedactionKind>,
): RedactionKind | null {
  if (kinds.has('ip') && looksLikeIp(run)) return 'ip';
  if (!run.some(isThousandOrMillionWord)) {
    if (kinds.has('card') && looksLikeCard(digits, kinds.has('phone'))) return 'card';
    if (kinds.has('phone') && looksLikePhone(run, digits)) return 'phone';
  }
  const isNumber = run.length > 1 || !isAmbiguousNumberWord(run[0] ?? '');
  return kinds.has('number') && isNumber ? 'number' : null;
}

/** With a wrong checksum, too: a recogniser may have misheard a digit. */
function looksLikeIban(characters: string): boolean {
  const candidate = IBAN_LIKE.exec(characters)?.[0];
  return candidate !== undefined && (isIBAN(candidate) || candidate.replaceAll(/\D/g, '').length >= 12);
}

function looksLikeIp(run: readonly string[]): boolean {
  return run.some((word) => isIP(word)) || run.filter((word) => DOTS.has(word.toLowerCase())).length >= 3;
}

/** Also digits with a wrong checksum, unless they may be a phone number. */
function looksLikeCard(digits: string, phonesToo: boolean): boolean {
  if (digits.length < MIN_CARD_DIGITS) return false;
  return isCreditCard(digits) || !phonesToo || digits.length > MAX_PHONE_DIGITS;
}

/** A date, a decimal fraction, or an amount that is grouped by thousands. */
const OTHER_NUMBER = [
  /^\d{4}-\d{2}-\d{2}$/,
  /^\d{1,2}[./]\d{1,2}[./]\d{2,4}$/,
  /^\D{0,2}\d{1,2}[.,]\d+\D?$/,
  /^\D{0,2}\d{1,3}([.,’']\d{3})+\D?$/u,
];

function looksLikePhone(run: readonly string[], digits: string): boolean {
  if (run.some((word) => /^\+\d{6,}$/.test(word))) return true;
  if (digits.length < MIN_PHONE_DIGITS) return false;
  return run.length > 1 || !OTHER_NUMBER.some((pattern) => pattern.test(run[0] ?? ''));
}
