import { isCreditCard, isIP } from 'class-validator';
import { isConjunction, isConnector, MAX_CONNECTORS } from './connectors.js';
import { findIbanSpans } from './find-iban-spans.js';
import { isDateOrAmount, type NumericToken, readNumericTokens } from './numeric-tokens.js';
import type { RedactionKind } from './redaction-kinds.js';
import type { RedactionSpan, BareWord } from './redaction-span.js';
import { isDotWord } from './top-level-domains.js';
import {
  isAmbiguousNumberWord,
  isThousandOrMillionWord,
  SpokenDigitsBuilder,
} from '../numbers/spoken-digits.js';

const MIN_PHONE_DIGITS = 7;
const MIN_CARD_DIGITS = 13;
const MAX_PHONE_DIGITS = 15;

const YEAR = /^(1[4-9]|20)\d{2}$/;

/** Words of one number; `end` is after the last one. */
interface Run {
  start: number;
  end: number;
}

/** Finds runs of digits, written or spoken, over the words around them; of several kinds the most special one. */
export function findNumericKindSpans(
  words: readonly BareWord[],
  kinds: ReadonlySet<RedactionKind>,
): RedactionSpan[] {
  const tokens = readNumericTokens(words);
  const ibans = kinds.has('iban') ? findIbanSpans(words, tokens) : [];
  const spans: RedactionSpan[] = [];
  let next = 0;
  for (const iban of ibans) {
    appendNumberSpans(spans, words, tokens, { start: next, end: iban.start }, kinds);
    spans.push(iban);
    next = iban.end;
  }
  appendNumberSpans(spans, words, tokens, { start: next, end: words.length }, kinds);
  return spans;
}

/** @param within the words that are no IBAN */
function appendNumberSpans(
  spans: RedactionSpan[],
  words: readonly BareWord[],
  tokens: readonly (NumericToken | null)[],
  within: Run,
  kinds: ReadonlySet<RedactionKind>,
): void {
  for (let at = within.start; at < within.end; at += 1) {
    if (!tokens[at]) continue;
    const run = { start: at, end: findRunEnd(words, tokens, at, within.end) };
    const kind = classifyRun(words, tokens, run, kinds);
    at = run.end - 1;
    const parts = kind === null || kind === 'number' ? splitAtForeignWords(tokens, run) : null;
    if (parts) for (const part of parts) appendNumberSpans(spans, words, tokens, part, kinds);
    else if (kind !== null) spans.push({ kind, ...run });
  }
}

/** What is between the number words of other languages; null if there are none. */
function splitAtForeignWords(tokens: readonly (NumericToken | null)[], { start, end }: Run): Run[] | null {
  const parts: Run[] = [{ start, end }];
  for (let at = start; at < end; at += 1) {
    const last = parts.at(-1);
    if (!last || !tokens[at]?.isForeign) continue;
    last.end = at;
    parts.push({ start: at + 1, end });
  }
  return parts.length > 1 ? parts : null;
}

/** Connectors and further digits up to the last numeric word. */
function findRunEnd(
  words: readonly BareWord[],
  tokens: readonly (NumericToken | null)[],
  start: number,
  limit: number,
): number {
  let end = start + 1;
  if (tokens[start]?.form === 'wholeDateOrAmount') return end;
  for (let at = end; at < limit && at - end <= MAX_CONNECTORS; at += 1) {
    if (words[at - 1]?.endsRun || tokens[at]?.form === 'wholeDateOrAmount') break;
    if (tokens[at]?.digits) end = at + 1;
    else if (!tokens[at] && !isConnector(words, at)) break;
  }
  return end;
}

function classifyRun(
  words: readonly BareWord[],
  tokens: readonly (NumericToken | null)[],
  { start, end }: Run,
  kinds: ReadonlySet<RedactionKind>,
): RedactionKind | null {
  const run = words.slice(start, end);
  const own = tokens.slice(start, end);
  const digits = joinDigits(own);
  if (digits === '') return null;
  if (kinds.has('ip') && looksLikeIp(run)) return 'ip';
  if (
    !isAmount(run, own) &&
    !own.every((token) => !token?.digits || isDateOrAmount(token)) &&
    !areYears(run, own)
  ) {
    if (kinds.has('card') && looksLikeCard(digits, kinds.has('phone'))) return 'card';
    if (kinds.has('phone') && looksLikePhone(run, digits)) return 'phone';
  }
  const [first] = run;
  const isNumber = run.length > 1 || !first || !isAmbiguousNumberWord(first.text, first.language);
  return kinds.has('number') && isNumber ? 'number' : null;
}

function joinDigits(tokens: readonly (NumericToken | null)[]): string {
  const parts = new SpokenDigitsBuilder();
  for (const token of tokens) {
    if (token?.repeat != null) parts.repeatNext(token.repeat);
    else if (token) parts.add(token.digits);
  }
  return parts.join();
}

/** People say amounts with “thousand” and “million”, and phone numbers only at the end: “… five five five one thousand”. */
function isAmount(run: readonly BareWord[], tokens: readonly (NumericToken | null)[]): boolean {
  const first = run.findIndex(({ text, language }) => isThousandOrMillionWord(text, language));
  return first >= 0 && joinDigits(tokens.slice(0, first)).length < MIN_PHONE_DIGITS;
}

/** Whether the run is a year, or several, such as 2019-2020 and “twenty nineteen and twenty twenty”. */
function areYears(run: readonly BareWord[], tokens: readonly (NumericToken | null)[]): boolean {
  const written = run.filter(({ text }) => /\d/.test(text));
  if (written.length > 0) return areRisingYears(written.flatMap(({ text }) => text.split(/[-–/]/)));
  const numbers: (NumericToken | null)[][] = [[]];
  for (const [at, word] of run.entries()) {
    if (isConjunction(word)) numbers.push([]);
    else numbers.at(-1)?.push(tokens[at] ?? null);
  }
  return areRisingYears(numbers.map(joinDigits));
}

/** Groups of a card or phone number look like years, too, but seldom rise. */
function areRisingYears(values: readonly string[]): boolean {
  return values.every((value, index) => YEAR.test(value) && value > (values[index - 1] ?? ''));
}

function looksLikeIp(run: readonly BareWord[]): boolean {
  return run.some(({ text }) => isIP(text)) || run.filter(({ text }) => isDotWord(text, null)).length >= 3;
}

/** Digits with a wrong checksum look like a card, too, unless they may be a phone number. */
function looksLikeCard(digits: string, phonesToo: boolean): boolean {
  if (digits.length < MIN_CARD_DIGITS) return false;
  return isCreditCard(digits) || !phonesToo || digits.length > MAX_PHONE_DIGITS;
}

function looksLikePhone(run: readonly BareWord[], digits: string): boolean {
  return run.some(({ text }) => /^\+\d{6,}$/.test(text)) || digits.length >= MIN_PHONE_DIGITS;
}
