import { isIBAN } from 'class-validator';
import { isConnector, MAX_CONNECTORS } from './connectors.js';
import type { NumericToken } from './numeric-tokens.js';
import type { RedactionSpan, BareWord } from './redaction-span.js';
import { SpokenDigitsBuilder } from '../numbers/spoken-digits.js';

const IBAN_START = /^[A-Z]{2}\d{2}/;
const IBAN_LIKE = /^[A-Z]{2}\d{2}[A-Z\d]{11,30}$/;
const MAX_IBAN_CHARACTERS = 34;
/** Fewer digits with a wrong checksum are rather the name of a product. */
const MIN_DIGITS = 12;

/**
 * Finds IBANs, written in groups or spelled; with a wrong checksum, too: a recogniser may have misheard a digit.
 * @param tokens of the words
 */
export function findIbanSpans(
  words: readonly BareWord[],
  tokens: readonly (NumericToken | null)[],
): RedactionSpan[] {
  const spans: RedactionSpan[] = [];
  for (let at = 0; at < words.length; at += 1) {
    if (!/^[A-Z]/i.test(words[at]?.text ?? '')) continue;
    const end = findIbanEnd(words, tokens, at);
    if (end === null) continue;
    spans.push({ kind: 'iban', start: at, end });
    at = end - 1;
  }
  return spans;
}

function findIbanEnd(
  words: readonly BareWord[],
  tokens: readonly (NumericToken | null)[],
  start: number,
): number | null {
  const parts = new SpokenDigitsBuilder();
  let connectors = 0;
  let end: number | null = null;
  for (let at = start; at < words.length; at += 1) {
    if (at > start && words[at - 1]?.endsRun) break;
    const token = tokens[at] ?? null;
    if (token?.repeat != null) {
      parts.repeatNext(token.repeat);
      continue;
    }
    const part = readPart(words[at]?.text ?? '', token);
    if (part === null) {
      connectors += 1;
      if (at === start || connectors > MAX_CONNECTORS || !isConnector(words, at)) break;
      continue;
    }
    connectors = 0;
    parts.add(part);
    const characters = parts.join();
    if (characters.length > MAX_IBAN_CHARACTERS || !mayStartIban(characters)) break;
    if (isIBAN(characters)) return at + 1;
    if (looksLikeIban(characters) && /\d/.test(part)) end = at + 1;
  }
  return end;
}

/** A letter, a group of capitals and digits, or digits. */
function readPart(text: string, token: NumericToken | null): string | null {
  const bare = text.replaceAll(/[\s.-]/g, '');
  if (/^[A-Z]$/i.test(bare) || /^[A-Z\d]+$/.test(bare)) return bare.toUpperCase();
  if (/^[A-Z]{2}\d{2}[A-Z\d]{11,}$/i.test(bare)) return bare.toUpperCase();
  return token && /^\d+$/.test(token.digits) ? token.digits : null;
}

function mayStartIban(characters: string): boolean {
  return characters.length < 4 ? /^[A-Z]{1,2}\d?$/.test(characters) : IBAN_START.test(characters);
}

function looksLikeIban(characters: string): boolean {
  return IBAN_LIKE.test(characters) && characters.replaceAll(/\D/g, '').length >= MIN_DIGITS;
}
