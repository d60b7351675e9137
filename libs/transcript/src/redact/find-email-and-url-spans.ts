import { isEmail, isFQDN, isURL } from 'class-validator';
import { hasMailboxEvidence, isAtPrepositionAfter, isFunctionWord } from './mailbox-evidence.js';
import type { RedactionKind } from './redaction-kinds.js';
import type { RedactionSpan, BareWord } from './redaction-span.js';
import { parseSpokenDigits } from '../numbers/spoken-digits.js';
import { isDotWord, isTopLevelDomain, mayEndSpokenAddress } from './top-level-domains.js';

/** Nobody says these but in addresses. */
const AT_SIGNS = new Set(['@', 'ät', 'arobase', 'arobas', 'arroba', 'chiocciola', 'klammeraffe']);
/** Besides dots, these join the parts of a name. */
const JOINTS = new Set([
  ...['dash', 'hyphen', 'minus', 'bindestrich', 'tiret', 'underscore', 'unterstrich', 'plus', '-', '_'],
]);
const WRITTEN_DOMAIN = /^[\p{L}\p{N}-]+(\.[\p{L}\p{N}-]+)*\.[a-z]{2,}$/iu;
const MAX_DOMAIN_WORDS = 12;
const MAX_NAME_WORDS = 24;

/**
 * What may end a spoken address. `clearDomain`: a top-level domain that is no word of the language. `anyButFunctionWord`: also any word
 * but function words, as after “john at example dot”. `domainOrAnyWord`: also a top-level domain that is a function word, as after
 * “john dot rossi at libero dot”.
 */
type Ending = 'clearDomain' | 'anyButFunctionWord' | 'domainOrAnyWord';

/** Finds mail and web addresses, written or spoken. */
export function findEmailAndUrlSpans(
  words: readonly BareWord[],
  kinds: ReadonlySet<RedactionKind>,
): RedactionSpan[] {
  const spans: RedactionSpan[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const email = kinds.has('email') ? findEmail(words, at) : null;
    const url = email === null && kinds.has('url') ? findUrl(words, at) : null;
    const span = email ?? url;
    if (span) spans.push(span);
  }
  return spans;
}

function findEmail(words: readonly BareWord[], at: number): RedactionSpan | null {
  const text = words[at]?.text ?? '';
  if (isWrittenEmail(text)) return { kind: 'email', start: at, end: at + 1 };
  if (isDividedEmail(words, at)) return { kind: 'email', start: findNameStart(words, at + 1), end: at + 2 };
  const isSign = AT_SIGNS.has(text.toLowerCase());
  if (at === 0 || !(isSign || text.toLowerCase() === 'at')) return null;
  const start = findNameStart(words, at);
  const isCertain = isSign || hasMailboxEvidence(words, start, at);
  const end = findDomainEndAfterAt(words, at, isCertain);
  return end === null ? null : { kind: 'email', start, end };
}

/** `john@ example.com`, `john @example.com`. */
function isDividedEmail(words: readonly BareWord[], at: number): boolean {
  const [left = '', right = ''] = [words[at]?.text, words[at + 1]?.text];
  if (/^[^\s@]+@$/.test(left)) return WRITTEN_DOMAIN.test(right);
  return right.startsWith('@') && WRITTEN_DOMAIN.test(right.slice(1)) && /[\p{L}\p{N}]/u.test(left);
}

/**
 * “at” is a word of many sentences: “I work at Amazon.com”, “we met at that point”.
 * @param isCertain whether a mailbox is before it
 */
function findDomainEndAfterAt(words: readonly BareWord[], at: number, isCertain: boolean): number | null {
  if (isWrittenDomain(words[at + 1])) return isCertain ? at + 2 : null;
  if (isCertain) return findDomainEnd(words, at + 1, 'domainOrAnyWord');
  const ending = isAtPrepositionAfter(words[at - 1]) ? 'clearDomain' : 'anyButFunctionWord';
  return findDomainEnd(words, at + 1, ending);
}

function isWrittenDomain(word: BareWord | undefined): boolean {
  const text = word?.text ?? '';
  return WRITTEN_DOMAIN.test(text) && isTopLevelDomain(text.split('.').at(-1) ?? '');
}

function isWrittenEmail(word: string): boolean {
  return word.includes('@') && (isEmail(word) || /[^\s@]@[^\s@]/.test(word));
}

function findUrl(words: readonly BareWord[], at: number): RedactionSpan | null {
  const word = words[at];
  if (!word) return null;
  if (isWrittenUrl(word.text)) return { kind: 'url', start: at, end: at + 1 };
  if (at === 0 || !isDotWord(word.text, word.language)) return null;
  const isCertain = words[at - 1]?.text.toLowerCase() === 'www';
  const end = findDomainEnd(words, at - 1, isCertain ? 'domainOrAnyWord' : 'clearDomain');
  return end === null ? null : { kind: 'url', start: at - 1, end };
}

function isWrittenUrl(word: string): boolean {
  if (/^(https?:\/\/|www\.)/i.test(word)) return true;
  // The validators are slow.
  if (!word.includes('.')) return false;
  const [host = ''] = word.split('/');
  const top = host.split('.').at(-1) ?? '';
  return (
    isURL(word, { require_tld: true }) && isFQDN(host) && isTopLevelDomain(top) && top === top.toLowerCase()
  );
}

/** @returns the index after the words of a domain, such as `example dot com`; null if there is none */
function findDomainEnd(words: readonly BareWord[], start: number, ending: Ending): number | null {
  const label = words[start];
  if (!label || isJoint(label) || isFunctionWord(label)) return null;
  let end: number | null = null;
  for (let at = start + 1; at < Math.min(words.length, start + MAX_DOMAIN_WORDS); at += 1) {
    const [previous, word] = [words[at - 1], words[at]];
    if (!previous || !word || !(isJoint(word) || isJoint(previous) || isSpelled(word))) break;
    if (isDotWord(previous.text, previous.language) && endsDomain(previous, word, ending)) end = at + 1;
  }
  return end;
}

function endsDomain(dot: BareWord, word: BareWord, ending: Ending): boolean {
  if (mayEndSpokenAddress(dot.text, word.text, word.language)) return true;
  if (ending === 'domainOrAnyWord' && isTopLevelDomain(word.text)) return true;
  return (
    ending !== 'clearDomain' && /^\p{L}{2,}$/u.test(word.text) && !isFunctionWord(word) && !isJoint(word)
  );
}

/** The first word of the name before `at`: the word there, and what is joined to it or spelled. */
function findNameStart(words: readonly BareWord[], at: number): number {
  let start = at - 1;
  while (start > 0 && at - start < MAX_NAME_WORDS) {
    const [previous, word] = [words[start - 1], words[start]];
    if (!previous || !word) break;
    if (!isJoint(previous) && !isJoint(word) && !(isSpelled(word) && isSpelled(previous))) break;
    start -= 1;
  }
  return start;
}

function isJoint({ text, language }: BareWord): boolean {
  return JOINTS.has(text.toLowerCase()) || isDotWord(text, language);
}

/** A single letter, or digits. */
function isSpelled({ text, language }: BareWord): boolean {
  return /^[\p{L}\p{N}]$/u.test(text) || /^\d+$/.test(text) || parseSpokenDigits(text, language) !== null;
}
