/** Pronunciations (`AH N D`) of a word in lower case, likeliest first. */
export type PronunciationLookup = (word: string) => readonly string[];

/** Limits per word and per term, because each pronunciation slows the search. */
const MAX_WORD_PRONUNCIATIONS = 6;
const MAX_TERM_PRONUNCIATIONS = 8;

export function combineSpokenFormPronunciations(
  forms: readonly string[][],
  pronounce: PronunciationLookup,
): string[] {
  const pronunciations = forms.map((form) => combineLikeliest(form.map(pronounce), MAX_WORD_PRONUNCIATIONS));
  return [...new Set(interleave(pronunciations))].slice(0, MAX_WORD_PRONUNCIATIONS);
}

/** Pronunciations of consecutive words; empty if a word has none. */
export function combineTermPronunciations(words: readonly (readonly string[])[]): string[] {
  return combineLikeliest(words, MAX_TERM_PRONUNCIATIONS);
}

export function countPhones(pronunciation: string): number {
  return pronunciation.split(' ').length;
}

/**
 * Combines one choice per part to at most `most` sequences, ordered by the sum of their ranks. Truncating after each part
 * loses nothing, because the order of prefixes is kept.
 */
function combineLikeliest(parts: readonly (readonly string[])[], most: number): string[] {
  let chosen = [{ pronunciation: '', rank: 0 }];
  for (const choices of parts) {
    chosen = choices
      .flatMap((choice, at) =>
        chosen.map(({ pronunciation, rank }) => ({
          pronunciation: `${pronunciation} ${choice}`.trim(),
          rank: rank + at,
        })),
      )
      .toSorted((a, b) => a.rank - b.rank)
      .slice(0, most);
  }
  return chosen.map(({ pronunciation }) => pronunciation).filter((pronunciation) => pronunciation !== '');
}

function interleave(lists: readonly (readonly string[])[]): string[] {
  const longest = Math.max(0, ...lists.map((list) => list.length));
  return Array.from({ length: longest }, (_, at) => lists.flatMap((list) => list.slice(at, at + 1))).flat();
}

/** Shorter terms occur in half of all sentences by chance. */
const MIN_PHONES = 3;
/** Probabilities of terms of `MIN_PHONES` phones, of one more, and so on; the last one is for all longer terms. */
const PROBABILITIES = [1e-6, 1e-5, 1e-4, 1e-4, 1e-3];

/** Drops pronunciations too short to be recognized reliably: for `US` keeps the spelled letters, but not the word. */
export function dropShortPronunciations(pronunciations: readonly string[]): string[] {
  return pronunciations.filter((pronunciation) => countPhones(pronunciation) >= MIN_PHONES);
}

/**
 * The unigram probability for a term, by its shortest pronunciation: the shorter, the more false matches. Null without
 * pronunciations, or if its probability in the language model is already higher.
 */
export function chooseTermProbabilityByPhoneCount(
  pronunciations: readonly string[],
  modelProbability: number,
): number | null {
  if (pronunciations.length === 0) return null;
  const shortest = Math.min(...pronunciations.map(countPhones));
  const probability = PROBABILITIES[Math.min(shortest - MIN_PHONES, PROBABILITIES.length - 1)] ?? 0;
  return probability > modelProbability ? probability : null;
}
