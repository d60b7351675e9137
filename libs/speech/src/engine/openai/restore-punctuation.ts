import type { RecognizedWordWithoutLanguage } from '../engine.js';
import { containsUnspacedScript } from '../split-into-words.js';

const LETTER = /[\p{L}\p{N}]/u;

/**
 * Adds the punctuation of the running text to the word list, which OpenAI's own service returns bare. Parts of a compound
 * (`well`, `-known`) become one word. Words that do not match the text are returned unchanged.
 */
export function restorePunctuation(
  words: readonly RecognizedWordWithoutLanguage[],
  text: string,
): RecognizedWordWithoutLanguage[] {
  const marked: RecognizedWordWithoutLanguage[] = [];
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

function appendWord(
  marked: RecognizedWordWithoutLanguage[],
  word: RecognizedWordWithoutLanguage,
  gap: string,
): void {
  const previous = marked.at(-1);
  if (!previous) {
    marked.push({ ...word, text: trailingMarks(gap) + word.text });
  } else if (/\s/.test(gap)) {
    previous.text += leadingMarks(gap);
    marked.push({ ...word, text: trailingMarks(gap) + word.text });
  } else if (containsUnspacedScript(previous.text) || containsUnspacedScript(word.text)) {
    previous.text += gap;
    marked.push({ ...word });
  } else {
    previous.text += gap + word.text;
    previous.end = word.end;
    previous.confidence = lowerConfidence(previous.confidence, word.confidence);
  }
}

/** Up to the first space. */
function leadingMarks(gap: string): string {
  return /^\S*/.exec(gap)?.[0] ?? '';
}

/** After the last space. */
function trailingMarks(gap: string): string {
  return /\S*$/.exec(gap)?.[0] ?? '';
}

function lowerConfidence(left: number | null, right: number | null): number | null {
  return left === null || right === null ? null : Math.min(left, right);
}
