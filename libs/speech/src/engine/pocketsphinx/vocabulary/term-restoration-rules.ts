import { isSpelledLetter, type WordWithSpokenForms } from './spoken-forms.js';

export interface TermRestorationRule {
  /**
   * Words in lower case, as the engine prints them. A spelled letter that is also a word, such as `a`, has a dot where only the
   * letter counts: `a.`. Other letters have none.
   */
  recognizedWords: string[];
  /** As the caller wrote them. */
  texts: string[];
}

/** A word at least this likely is more often itself than a term: `us`, `will`, `it`. */
const MIN_COMMON_PROBABILITY = 1e-4;
/** Several words that are each this likely more often stand for themselves: “have to do it”, “a flaw in design”. */
const MIN_COMMON_PART_PROBABILITY = 5e-5;
/** Letters that are words, too. */
const LETTER_WORDS = new Set(['a.', 'i.']);

/** Longest first. */
export function buildTermRestorationRules(
  terms: readonly { words: readonly WordWithSpokenForms[] }[],
  probabilities: ReadonlyMap<string, number>,
): TermRestorationRule[] {
  const rules = terms.flatMap(({ words }) => {
    const texts = words.map(({ text }) => text);
    const formCount = Math.max(...words.map((word) => word.spokenForms.length));
    return Array.from({ length: formCount }, (_, at) => {
      const spoken = words.flatMap(
        (word) => word.spokenForms[Math.min(at, word.spokenForms.length - 1)] ?? [],
      );
      const recognizedWords = chooseSafeWords(spoken, words.length, probabilities);
      return recognizedWords ? [{ recognizedWords, texts }] : [];
    }).flat();
  });
  return rules.toSorted((a, b) => b.recognizedWords.length - a.recognizedWords.length);
}

/** Null if the words are more often said in earnest than as the term. @param written number of words of the term */
function chooseSafeWords(
  spoken: readonly string[],
  written: number,
  probabilities: ReadonlyMap<string, number>,
): string[] | null {
  const [first = ''] = spoken;
  if (spoken.length === 1)
    return (probabilities.get(withoutDot(first)) ?? 0) < MIN_COMMON_PROBABILITY ? [withoutDot(first)] : null;
  const areAllCommon = spoken.every((word) =>
    isSpelledLetter(word)
      ? LETTER_WORDS.has(word)
      : (probabilities.get(word) ?? 0) >= MIN_COMMON_PART_PROBABILITY,
  );
  if (areAllCommon && spoken.length > written && !spoken.some(isSpelledLetter)) return null;
  const isAllSpelled = spoken.every(isSpelledLetter);
  return spoken.map((word) => {
    const needsDot = LETTER_WORDS.has(word) && (areAllCommon || (word === 'a.' && !isAllSpelled));
    return needsDot ? word : withoutDot(word);
  });
}

function withoutDot(word: string): string {
  return isSpelledLetter(word) ? word.slice(0, -1) : word;
}
