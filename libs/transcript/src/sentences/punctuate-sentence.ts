import { extractPrimaryLanguageSubtag } from '../text/extract-primary-language-subtag.js';
import { CLAUSE_MARKS, CLOSING_MARKS, SENTENCE_MARKS } from '../text/ends-with-sentence-mark.js';
import { capitalise } from './casing.js';
import { findMissingCommaIndices } from './english-commas.js';
import { needsCapital } from './english-names.js';
import { isQuestion } from './english-questions.js';
import { toLookupSpelling, findSpellingOfDayMonthOrI, NON_FINAL_WORDS } from './english-words.js';
import { type PunctuationMark, localizePunctuationMark } from './punctuation-marks.js';

export interface UnpunctuatedSentence {
  words: readonly string[];
  /** Seconds of silence before each word. */
  pauses: readonly number[];
  /** Predicted after each word by a model; without them rules are used. */
  marks?: readonly (PunctuationMark | null)[] | undefined;
  /** Whether each word stands for a redacted value, such as `[phone]`, which keeps its spelling. */
  redacted?: readonly boolean[] | undefined;
  /** BCP 47, null when unknown. */
  language: string | null;
}

const ENDS_WITH_MARK = new RegExp(`[${SENTENCE_MARKS}${CLAUSE_MARKS}][${CLOSING_MARKS}']*$`, 'u');

/**
 * Returns as many words as given. Without marks of a model, English also gets commas and question marks, other
 * languages only a capital and a full stop.
 */
export function punctuateSentence({
  words,
  pauses,
  marks,
  redacted,
  language,
}: UnpunctuatedSentence): string[] {
  const languageCode = extractPrimaryLanguageSubtag(language);
  const spelled = languageCode === 'en' ? applyEnglishSpelling(words) : [...words];
  const marked = appendMarks(
    spelled,
    marks ?? (languageCode === 'en' ? findEnglishMarks(words, pauses) : []),
    languageCode,
  );
  const [first, last] = [marked[0], marked.at(-1)];
  if (first === undefined || last === undefined) return [];
  const ending =
    languageCode === 'en' && !marks ? englishEnding(words) : localizePunctuationMark('.', languageCode);
  if (!ENDS_WITH_MARK.test(last)) marked[marked.length - 1] = last + ending;
  if (!redacted?.[0]) marked[0] = capitalise(marked[0] ?? first, language);
  return marked;
}

function applyEnglishSpelling(words: readonly string[]): string[] {
  const plain = words.map(toLookupSpelling);
  return words.map((word, index) => {
    const [spelling, before, after] = [word.replaceAll('’', "'"), plain[index - 1], plain[index + 1]];
    return needsCapital(spelling, before ?? '', after ?? '')
      ? capitalise(word, 'en')
      : (findSpellingOfDayMonthOrI(spelling, before, after) ?? word);
  });
}

function findEnglishMarks(words: readonly string[], pauses: readonly number[]): (PunctuationMark | null)[] {
  const commas = findMissingCommaIndices(words.map(toLookupSpelling), pauses);
  return words.map((_, index) => (commas.has(index) ? ',' : null));
}

/** Skips words that have a mark, and commas at the end of the sentence. */
function appendMarks(
  words: readonly string[],
  marks: readonly (PunctuationMark | null)[],
  languageCode: string | null,
): string[] {
  return words.map((word, index) => {
    const mark = marks[index] ?? null;
    const hangs = index === words.length - 1 && (mark === ',' || mark === '、');
    return mark === null || hangs || ENDS_WITH_MARK.test(word)
      ? word
      : word + localizePunctuationMark(mark, languageCode);
  });
}

/** A sentence that ends with a word which cannot be last was interrupted. */
function englishEnding(words: readonly string[]): string {
  const plain = words.map(toLookupSpelling);
  if (plain.length > 1 && NON_FINAL_WORDS.has(plain.at(-1) ?? '')) return '…';
  return isQuestion(plain) ? '?' : '.';
}
