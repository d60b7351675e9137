import { capitalise } from './casing.js';
import { commasAfter } from './english-commas.js';
import { isName } from './english-names.js';
import { isQuestion } from './english-questions.js';
import { bareWord, englishSpelling, LEANS_FORWARD } from './english-words.js';
import { type Mark, writeMark } from './marks.js';

/** A run of words that is one sentence. */
export interface Sentence {
  words: readonly string[];
  /** Seconds of silence before each word. */
  pauses: readonly number[];
  /** What a model sets after each word; when left out the marks are found here. */
  marks?: readonly (Mark | null)[] | undefined;
  /** BCP 47, null when unknown. */
  language: string | null;
}

const MARKED = /[.,;:!?…。，、！？；：।۔؟]["'”’»)\]]*$/u;

/**
 * The words of one sentence with capitals and marks, one for one. English gets commas and question marks too;
 * every other language the capital and the full stop that its script has. Marks that were given take their place.
 */
export function punctuate({ words, pauses, marks, language }: Sentence): string[] {
  const tongue = language?.toLowerCase().split(/[-_]/)[0] ?? null;
  const spelled = tongue === 'en' ? inEnglish(words) : [...words];
  const marked = withMarks(spelled, marks ?? (tongue === 'en' ? englishMarks(words, pauses) : []), tongue);
  const [first, last] = [marked[0], marked.at(-1)];
  if (first === undefined || last === undefined) return [];
  const ending = tongue === 'en' && !marks ? englishEnding(words) : writeMark('.', tongue);
  if (!MARKED.test(last)) marked[marked.length - 1] = last + ending;
  marked[0] = capitalise(marked[0] ?? first);
  return marked;
}

function inEnglish(words: readonly string[]): string[] {
  const plain = words.map(bareWord);
  return words.map((word, index) => {
    const [spelling, before, after] = [word.replaceAll('’', "'"), plain[index - 1], plain[index + 1]];
    return isName(spelling, before ?? '', after ?? '')
      ? capitalise(word)
      : (englishSpelling(spelling, before, after) ?? word);
  });
}

function englishMarks(words: readonly string[], pauses: readonly number[]): (Mark | null)[] {
  const commas = commasAfter(words.map(bareWord), pauses);
  return words.map((_, index) => (commas.has(index) ? ',' : null));
}

/** No second mark where there is one, and nothing at the end that does not end a sentence. */
function withMarks(
  words: readonly string[],
  marks: readonly (Mark | null)[],
  tongue: string | null,
): string[] {
  return words.map((word, index) => {
    const mark = marks[index] ?? null;
    const hangs = index === words.length - 1 && (mark === ',' || mark === '、');
    return mark === null || hangs || MARKED.test(word) ? word : word + writeMark(mark, tongue);
  });
}

/** A sentence that stops on a word nobody stops on was broken off. */
function englishEnding(words: readonly string[]): string {
  const plain = words.map(bareWord);
  if (plain.length > 1 && LEANS_FORWARD.has(plain.at(-1) ?? '')) return '…';
  return isQuestion(plain) ? '?' : '.';
}
