/** Regardless of the script. `、` separates the items of a list. */
export type PunctuationMark = ',' | '、' | '.' | '?';

/** Times in seconds from the start of the file. */
export interface UnpunctuatedWord {
  text: string;
  start: number;
  end: number;
  /** BCP 47 tag; null when unknown. */
  language: string | null;
}

export interface PunctuationMarkPredictor {
  /**
   * @param words in order of time
   * @returns the punctuation after each word; null for none, undefined for words in unsupported languages
   * @throws AuxiliaryModelError; the reason of `signal` when it is aborted
   */
  predictMarks(
    words: readonly UnpunctuatedWord[],
    signal: AbortSignal,
  ): Promise<(PunctuationMark | null | undefined)[]>;
}

export class PunctuatedTextMismatchError extends Error {
  override readonly name = 'PunctuatedTextMismatchError';

  constructor() {
    super('The punctuation model changed the words.');
  }
}
