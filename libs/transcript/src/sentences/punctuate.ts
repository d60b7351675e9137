import { capitalise } from './casing.js';
import { findCommas } from './english-commas.js';
import { isProperName } from './english-names.js';
import { isQuestion } from './english-questions.js';
import { normalizeWord, findEnglishSpelling, NON_FINAL_WORDS } from './english-words.js';
import { type PunctuationMark, formatMark } from './punctuation-marks.js';

/** A run of words that is one sentence. */
export interface Sentence {
  words: readonly string[];
  /** Seconds of silence before each word. */
  pauses: readonly number[];
  /** What a model sets after each word; when left out the marks are found here. */
  marks?: readonly (PunctuationMark | null)[] | undefined;
  /** BCP 47, null when unknown. */
  language: string | null;
}

const ENDS_WITH_MARK = /[.,;:!?…。，、！？；：।۔؟]["'”’»)\]]*$/u;

/**
 * The words of one sentence with capitals and marks, one for one. English gets commas and question marks too;
 * every other language the capital and the full stop that its script has. Marks that were given take their place.
 */
export function punctuate({ words, pauses, marks, language }: Sentence): string[] {
  const languageCode = language?.toLowerCase().split(/[-_]/)[0] ?? null;
  const spelled = languageCode === 'en' ? applyEnglishSpelling(words) : [...words];
  const marked = appendMarks(
    spelled,
    marks ?? (languageCode === 'en' ? findEnglishMarks(words, pauses) : []),
    languageCode,
  );
  const [first, last] = [marked[0], marked.at(-1)];
  if (first === undefined || last === undefined) return [];
  const ending = languageCode === 'en' && !marks ? englishEnding(words) : formatMark('.', languageCode);
  if (!ENDS_WITH_MARK.test(last)) marked[marked.length - 1] = last + ending;
  marked[0] = capitalise(marked[0] ?? first);
  return marked;
}

function applyEnglishSpelling(words: readonly string[]): string[] {
  const plain = words.map(normalizeWord);
  return words.map((word, index) => {
    const [spelling, before, after] = [word.replaceAll('’', "'"), plain[index - 1], plain[index + 1]];
    return isProperName(spelling, before ?? '', after ?? '')
      ? capitalise(word)
      : (findEnglishSpelling(spelling, before, after) ?? word);
  });
}

function findEnglishMarks(words: readonly string[], pauses: readonly number[]): (PunctuationMark | null)[] {
  const commas = findCommas(words.map(normalizeWord), pauses);
  return words.map((_, index) => (commas.has(index) ? ',' : null));
}

/** No second mark where there is one, and nothing at the end that does not end a sentence. */
function appendMarks(
  words: readonly string[],
  marks: readonly (PunctuationMark | null)[],
  languageCode: string | null,
): string[] {
  return words.map((word, index) => {
    const mark = marks[index] ?? null;
    const hangs = index === words.length - 1 && (mark === ',' || mark === '、');
    return mark === null || hangs || ENDS_WITH_MARK.test(word) ? word : word + formatMark(mark, languageCode);
  });
}

/** A sentence that stops on a word nobody stops on was broken off. */
function englishEnding(words: readonly string[]): string {
  const plain = words.map(normalizeWord);
  if (plain.length > 1 && NON_FINAL_WORDS.has(plain.at(-1) ?? '')) return '…';
  return isQuestion(plain) ? '?' : '.';
}
