/** A mark that follows a word, whatever it looks like in the word's script. `、` parts the items of a list. */
export type PunctuationMark = ',' | '、' | '.' | '?';

/** A word on the file's clock, in seconds. */
export interface TextWord {
  text: string;
  start: number;
  end: number;
  /** BCP 47; null when unknown. */
  language: string | null;
}

/** Tells the marks of a text whose words carry none. */
export interface Punctuator {
  /**
   * @param words in order of time
   * @returns for each word the mark behind it, null for none; undefined for words of other languages than it knows
   * @throws AuxiliaryModelError; the reason of `signal` when it is aborted
   */
  marks(words: readonly TextWord[], signal: AbortSignal): Promise<(PunctuationMark | null | undefined)[]>;
}

/** What the model gave is not the text that it was given, with marks. */
export class PunctuatedTextMismatchError extends Error {
  override readonly name = 'PunctuatedTextMismatchError';

  constructor() {
    super('The punctuation model changed the words.');
  }
}
