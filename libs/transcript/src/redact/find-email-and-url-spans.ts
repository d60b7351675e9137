import { isEmail, isFQDN, isURL } from 'class-validator';
import type { RedactionKind } from './redaction-kinds.js';
import type { RedactionSpan } from './redaction-span.js';
import { parseSpokenDigits } from './spoken-digits.js';

const AT = new Set(['at', '@', 'ät', 'arobase', 'arobas', 'arroba', 'klammeraffe']);
const DOT = new Set(['dot', '.', 'punkt', 'point', 'punto']);
/** Join the parts of a name. */
const JOINTS = new Set([
  ...DOT,
  ...['dash', 'hyphen', 'minus', 'bindestrich', 'tiret', 'underscore', 'unterstrich', 'plus', '-', '_'],
]);
const TOP_LEVEL = /^(com|org|net|edu|gov|io|ai|app|dev|info|biz|me|co|[a-z]{2})$/i;
const WRITTEN_DOMAIN = /^[\p{L}\p{N}-]+(\.[\p{L}\p{N}-]+)*\.[a-z]{2,}$/iu;
const MAX_DOMAIN_WORDS = 12;
const MAX_NAME_WORDS = 24;

/** Finds mail and web addresses, written or spoken. @param words without punctuation at their edges */
export function findEmailAndUrlSpans(
  words: readonly string[],
  kinds: ReadonlySet<RedactionKind>,
): RedactionSpan[] {
  const spans: RedactionSpan[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    if (kinds.has('email') && isWrittenEmail(word)) spans.push({ kind: 'email', start: at, end: at + 1 });
    else if (kinds.has('url') && isWrittenUrl(word)) spans.push({ kind: 'url', start: at, end: at + 1 });
    else if (AT.has(word.toLowerCase()) && at > 0) {
      const end = findDomainEnd(words, at + 1);
      if (end !== null && kinds.has('email'))
        spans.push({ kind: 'email', start: findNameStart(words, at), end });
    } else if (kinds.has('url') && DOT.has(word.toLowerCase()) && at > 0) {
      const end = findDomainEnd(words, at - 1);
      if (end !== null) spans.push({ kind: 'url', start: at - 1, end });
    }
  }
  return spans;
}

function isWrittenEmail(word: string): boolean {
  return isEmail(word) || /[^\s@]@[^\s@]/.test(word);
}

function isWrittenUrl(word: string): boolean {
  if (/^(https?:\/\/|www\.)/i.test(word)) return true;
  const [host = ''] = word.split('/');
  const top = host.split('.').at(-1) ?? '';
  return (
    isURL(word, { require_tld: true }) && isFQDN(host) && TOP_LEVEL.test(top) && top === top.toLowerCase()
  );
}

/** After the words of a domain, such as `example dot com` or `example.com`; null if there is none. */
function findDomainEnd(words: readonly string[], start: number): number | null {
  if (WRITTEN_DOMAIN.test(words[start] ?? '')) return start + 1;
  let end: number | null = null;
  for (let at = start + 1; at < Math.min(words.length, start + MAX_DOMAIN_WORDS); at += 1) {
    const [previous = '', word = ''] = [words[at - 1], words[at]];
    const isPart = isJoint(word) || isJoint(previous) || isSpelled(word);
    if (!isPart) break;
    if (DOT.has(previous.toLowerCase()) && TOP_LEVEL.test(word)) end = at + 1;
  }
  return end;
}

/** The first word of the name before `at`: the word there, and what is joined to it or spelled. */
function findNameStart(words: readonly string[], at: number): number {
  let start = at - 1;
  while (start > 0 && at - start < MAX_NAME_WORDS) {
    const [previous = '', word = ''] = [words[start - 1], words[start]];
    if (!isJoint(previous) && !isJoint(word) && !(isSpelled(word) && isSpelled(previous))) break;
    start -= 1;
  }
  return start;
}

function isJoint(word: string): boolean {
  return JOINTS.has(word.toLowerCase());
}

/** A single letter, or digits. */
function isSpelled(word: string): boolean {
  return /^[\p{L}\p{N}]$/u.test(word) || /^\d+$/.test(word) || parseSpokenDigits(word) !== null;
}
