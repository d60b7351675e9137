/** Words that are known to be said one after the other in a stretch of a chunk; seconds from the start of the chunk. */
export interface SaidStretch {
  start: number;
  end: number;
  /** As they are written, punctuation included. */
  words: readonly string[];
}

/** When one word is said; seconds from the start of the chunk. */
export interface WordTime {
  start: number;
  end: number;
}

/**
 * Finds out when words are said whose text is known already: for engines that tell what was said but not when.
 *
 * For each stretch there is one time a word, in order and within the stretch; null for a stretch in which the words
 * could not be found.
 */
export interface WordAligner {
  /** BCP 47 tags of the languages whose words it can find. */
  readonly languages: readonly string[];
  /** Throws `EngineUnavailable` when the programs are missing, or the reason of the abort. */
  align(
    samples: Int16Array,
    stretches: readonly SaidStretch[],
    signal: AbortSignal,
  ): Promise<(WordTime[] | null)[]>;
}
