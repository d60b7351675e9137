import type { RecognizedWordWithoutLanguage } from '../engine.js';
import { containsUnspacedScript } from '../split-into-words.js';

const LETTER = /[\p{L}\p{N}]/u;
/** Spoken, although servers do not list it as a word. */
const SYMBOL = /[\p{S}%‰&@#§]/u;

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
  if (last) last.text += SYMBOL.test(tail) ? tail.trimEnd() : leadingMarks(tail);
  return marked;
}

function appendWord(
  marked: RecognizedWordWithoutLanguage[],
  word: RecognizedWordWithoutLanguage,
  gap: string,
): void {
  const previous = marked.at(-1);
  if (!previous) {
    const marks = SYMBOL.test(gap) ? gap.trimStart() : trailingMarks(gap);
    marked.push({ ...word, text: marks + word.text });
  } else if (/\s/.test(gap)) {
    const ownMarks = trailingMarks(gap);
    const rest = gap.slice(0, gap.length - ownMarks.length);
    // A word that contains spaces is split later, with a part of its time for each.
    previous.text += SYMBOL.test(rest) ? rest.trimEnd() : leadingMarks(gap);
    marked.push({ ...word, text: ownMarks + word.text });
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
