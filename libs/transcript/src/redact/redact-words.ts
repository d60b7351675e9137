import { isSentenceMark, type PunctuationMark } from '../sentences/punctuation-marks.js';
import { endsWithSentenceMark } from '../text/ends-with-sentence-mark.js';
import { extractPrimaryLanguageSubtag } from '../text/extract-primary-language-subtag.js';
import { findMarksAround, stripSurroundingPunctuation } from '../text/surrounding-punctuation.js';
import { findEmailAndUrlSpans } from './find-email-and-url-spans.js';
import { findNumericKindSpans } from './find-numeric-kind-spans.js';
import { type RedactionKind, toRedactionMark } from './redaction-kinds.js';
import type { RedactionSpan, BareWord } from './redaction-span.js';

/** People look a number up while they say it, and a part that stays is worse than a harmless number that goes. */
const MAX_PAUSE_SECONDS = 10;

export interface RedactableWord {
  text: string;
  /** Seconds; missing in a text that people write. */
  start?: number;
  end: number;
  /** BCP 47; missing or null if unknown. */
  language?: string | null;
  speaker: string | null;
  redacted: RedactionKind | null;
  /** Mark that a model sets after the word; not in its text. */
  mark?: PunctuationMark | null;
}

/**
 * Replaces what the kinds describe by marks such as `[email]`. The words of one value become one word, from the start of the
 * first to the end of the last, with the punctuation around them; a value that two speakers say becomes one word for each.
 */
export function redactWords<W extends RedactableWord>(
  words: readonly W[],
  kinds: readonly RedactionKind[],
): W[] {
  const spans = findSpans(toBareWords(words), new Set(kinds));
  const redacted: W[] = [];
  let at = 0;
  // Not with `push(...)`: a call takes a limited number of arguments, and a long recording has more words.
  const keepUntil = (end: number): void => {
    for (const word of words.slice(at, end)) redacted.push(word);
  };
  for (const { kind, start, end } of spans) {
    keepUntil(start);
    for (const part of groupBySpeaker(words.slice(start, end))) redacted.push(mergeWords(part, kind));
    at = end;
  }
  keepUntil(words.length);
  return redacted;
}

/** Like `redactWords`, in a text that people write. */
export function redactText(text: string, kinds: readonly RedactionKind[]): string {
  if (kinds.length === 0) return text;
  const pieces = text.split(/(\s+)/);
  const words = pieces
    .filter((_, index) => index % 2 === 0)
    .map((word, index) => ({ ...UNSPOKEN, text: word, space: pieces[index * 2 - 1] ?? '' }));
  return redactWords(words, kinds)
    .map((word) => word.space + word.text)
    .join('');
}

const UNSPOKEN = { end: 0, speaker: null, redacted: null };

function toBareWords(words: readonly RedactableWord[]): BareWord[] {
  return words.map(({ text, end, language, mark }, at) => {
    const pause = (words[at + 1]?.start ?? end) - end;
    return {
      text: stripSurroundingPunctuation(text),
      language: extractPrimaryLanguageSubtag(language ?? null),
      endsRun: endsSentence(text) || isSentenceMark(mark) || pause > MAX_PAUSE_SECONDS,
    };
  });
}

/** A mark alone, as in “192 . 168”, may stand between the digits of one number. */
function endsSentence(text: string): boolean {
  return endsWithSentenceMark(text) && /[\p{L}\p{N}]/u.test(text);
}

/** Spans in order. Overlapping ones become one, with the kind of the first. */
function findSpans(words: readonly BareWord[], kinds: ReadonlySet<RedactionKind>): RedactionSpan[] {
  const found = [...findEmailAndUrlSpans(words, kinds), ...findNumericKindSpans(words, kinds)].toSorted(
    (a, b) => a.start - b.start || b.end - a.end,
  );
  const merged: RedactionSpan[] = [];
  for (const span of found) {
    const last = merged.at(-1);
    if (last && span.start < last.end) last.end = Math.max(last.end, span.end);
    else merged.push({ ...span });
  }
  return merged;
}

function groupBySpeaker<W extends RedactableWord>(words: readonly W[]): W[][] {
  const groups: W[][] = [];
  for (const word of words) {
    const group = groups.at(-1);
    if (group?.at(-1)?.speaker === word.speaker) group?.push(word);
    else groups.push([word]);
  }
  return groups;
}

function mergeWords<W extends RedactableWord>(words: readonly W[], kind: RedactionKind): W {
  const [first, last] = [words[0], words.at(-1)];
  if (!first || !last) throw new RangeError('A redacted value has at least one word.');
  const { before, after } = findMarksAround(words.map(({ text }) => text).join(' '));
  return {
    ...first,
    ...(last.mark !== undefined && { mark: last.mark }),
    text: before + toRedactionMark(kind) + after,
    end: last.end,
    redacted: kind,
  };
}
