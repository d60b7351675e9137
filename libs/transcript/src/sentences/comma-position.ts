/** A place in an unpunctuated English sentence where a comma may stand. */
export interface CommaPosition {
  /** Lower case, with the plain apostrophe. */
  words: readonly string[];
  /** Index of the first word after the comma before, or of the sentence. */
  from: number;
  /** The comma would stand before this word; above `from`. */
  index: number;
}

/** Seconds of silence that a comma needs, by how much the words call for one; docs/speech/punctuation.md names figures. */
export const COMMA_CERTAIN = 0;
export const COMMA_LIKELY = 0.03;
export const COMMA_POSSIBLE = 0.15;
export const COMMA_AT_PAUSE = 0.2;
export const NO_COMMA = Infinity;

/** The words before and after the place; empty beyond the sentence. */
export function wordsAround({ words, index }: CommaPosition): {
  before: string;
  word: string;
  after: string;
} {
  return { before: words[index - 1] ?? '', word: words[index] ?? '', after: words[index + 1] ?? '' };
}

/** Phrases with commas between them, one after another, each as its words. */
export function parsePhrases(list: string): readonly (readonly string[])[] {
  return list.split(', ').map((phrase) => phrase.split(' '));
}

/** How many words the longest of the phrases has that stands at an index; 0 where none does. */
export function matchPhrase(
  words: readonly string[],
  at: number,
  list: readonly (readonly string[])[],
): number {
  const there = list.filter((phrase) => phrase.every((word, offset) => word === words[at + offset]));
  return Math.max(0, ...there.map((phrase) => phrase.length));
}
