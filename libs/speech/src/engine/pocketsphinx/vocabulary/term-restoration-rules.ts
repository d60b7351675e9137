import { isSpelledLetter, type WordWithSpokenForms } from './spoken-forms.js';

export interface TermRestorationRule {
  /** In lower case, as the engine prints them; letters without the dot. */
  recognizedWords: string[];
  /** As the caller wrote them. */
  texts: string[];
}

/** A word at least this likely is more often itself than a term: `us`, `will`, `it`. */
const MIN_COMMON_PROBABILITY = 1e-4;

/** Longest first. */
export function buildTermRestorationRules(
  terms: readonly { words: readonly WordWithSpokenForms[] }[],
  probabilities: ReadonlyMap<string, number>,
): TermRestorationRule[] {
  const phrases = terms.flatMap(({ words }) => {
    const texts = words.map(({ text }) => text);
    const formCount = Math.max(...words.map((word) => word.spokenForms.length));
    return Array.from({ length: formCount }, (_, at) => ({
      recognizedWords: words.flatMap((word) =>
        (word.spokenForms[Math.min(at, word.spokenForms.length - 1)] ?? []).map((spoken) =>
          isSpelledLetter(spoken) ? spoken.slice(0, -1) : spoken,
        ),
      ),
      texts,
    }));
  });
  const safe = phrases.filter(
    ({ recognizedWords }) =>
      recognizedWords.length > 1 ||
      (probabilities.get(recognizedWords[0] ?? '') ?? 0) < MIN_COMMON_PROBABILITY,
  );
  return safe.toSorted((a, b) => b.recognizedWords.length - a.recognizedWords.length);
}
