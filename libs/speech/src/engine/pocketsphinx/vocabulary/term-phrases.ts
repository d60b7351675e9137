import type { SpokenUnit, WrittenWord } from './spoken-forms.js';

/** A run of usual words that is a term. */
export interface TermPhrase {
  /** In lower case, as the engine writes them. */
  heard: string[];
  /** The words as the caller wrote them. */
  texts: string[];
}

/** A word this likely is itself more often than the term that is written like it: `us`, `will`, `it`. */
const MIN_COMMON_PROBABILITY = 1e-4;

/** How terms look when they are heard as usual words, the longest first. */
export function buildTermPhrases(
  terms: readonly { words: readonly WrittenWord[] }[],
  usual: ReadonlyMap<string, number>,
): TermPhrase[] {
  const phrases = terms.flatMap(({ words }) => {
    const texts = words.map(({ text }) => text);
    const ways = Math.max(...words.map((word) => word.ways.length));
    return Array.from({ length: ways }, (_, at) => ({
      heard: words.flatMap((word) =>
        (word.ways[Math.min(at, word.ways.length - 1)] ?? []).flatMap(toRecognizedWords),
      ),
      texts,
    }));
  });
  const safe = phrases.filter(
    ({ heard }) => heard.length > 1 || (usual.get(heard[0] ?? '') ?? 0) < MIN_COMMON_PROBABILITY,
  );
  return safe.toSorted((a, b) => b.heard.length - a.heard.length);
}

function toRecognizedWords(spoken: SpokenUnit): string[] {
  return 'word' in spoken ? [spoken.word] : [...spoken.letters];
}
