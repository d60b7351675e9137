/** Within an unpunctuated English sentence. */
export interface CommaCandidate {
  /** Lower case, with the plain apostrophe. */
  words: readonly string[];
  /** Index of the first word after the comma before, or of the sentence. */
  from: number;
  /** The comma would precede this word; above `from`. */
  index: number;
}

/** Minimum pause before a comma in seconds, by its probability; measured in docs/speech/punctuation.md. */
export const MIN_PAUSE_SECONDS_IF_COMMA_CERTAIN = 0;
export const MIN_PAUSE_SECONDS_IF_COMMA_LIKELY = 0.03;
export const MIN_PAUSE_SECONDS_IF_COMMA_POSSIBLE = 0.15;
export const MIN_PAUSE_SECONDS_IF_COMMA_UNLIKELY = 0.2;
export const MIN_PAUSE_SECONDS_IF_COMMA_FORBIDDEN = Infinity;

/** Empty beyond the sentence. */
export function getNeighbouringWords({ words, index }: CommaCandidate): {
  before: string;
  word: string;
  after: string;
} {
  return { before: words[index - 1] ?? '', word: words[index] ?? '', after: words[index + 1] ?? '' };
}

/** Phrases are separated by commas. */
export function splitPhraseList(list: string): readonly (readonly string[])[] {
  return list.split(', ').map((phrase) => phrase.split(' '));
}

/** Number of words of the longest matching phrase; 0 without one. */
export function countMatchedPhraseWords(
  words: readonly string[],
  at: number,
  list: readonly (readonly string[])[],
): number {
  const matches = list.filter((phrase) => phrase.every((word, offset) => word === words[at + offset]));
  return Math.max(0, ...matches.map((phrase) => phrase.length));
}
