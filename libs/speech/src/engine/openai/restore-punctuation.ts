import { hasUnspacedScript } from '../estimate-word-times.js';

export interface TimedWord {
  text: string;
  start: number;
  end: number;
  confidence: number | null;
}

const LETTER = /[\p{L}\p{N}]/u;

/**
 * The words with the marks that the running text has around them: OpenAI's own service lists words bare. Parts that the
 * text writes as one (`well`, `-known`) become one word. Words that are not those of the text come back as they are.
 */
export function restorePunctuation(words: readonly TimedWord[], text: string): TimedWord[] {
  const marked: TimedWord[] = [];
  let at = 0;
  for (const word of words) {
    const from = text.indexOf(word.text, at);
    const gap = text.slice(at, from);
    if (from === -1 || LETTER.test(gap)) return [...words];
    appendWord(marked, word, gap);
    at = from + word.text.length;
  }
  const tail = text.slice(at);
  if (LETTER.test(tail)) return [...words];
  const last = marked.at(-1);
  if (last) last.text += leadingMarks(tail);
  return marked;
}

function appendWord(marked: TimedWord[], word: TimedWord, gap: string): void {
  const previous = marked.at(-1);
  if (!previous) {
    marked.push({ ...word, text: trailingMarks(gap) + word.text });
  } else if (/\s/.test(gap)) {
    previous.text += leadingMarks(gap);
    marked.push({ ...word, text: trailingMarks(gap) + word.text });
  } else if (hasUnspacedScript(previous.text) || hasUnspacedScript(word.text)) {
    previous.text += gap;
    marked.push({ ...word });
  } else {
    previous.text += gap + word.text;
    previous.end = word.end;
    previous.confidence = lowerConfidence(previous.confidence, word.confidence);
  }
}

/** Marks up to the first space. */
function leadingMarks(gap: string): string {
  return /^\S*/.exec(gap)?.[0] ?? '';
}

/** Marks after the last space. */
function trailingMarks(gap: string): string {
  return /\S*$/.exec(gap)?.[0] ?? '';
}

function lowerConfidence(left: number | null, right: number | null): number | null {
  return left === null || right === null ? null : Math.min(left, right);
}
