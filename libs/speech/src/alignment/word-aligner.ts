/** Words that are known to be said one after the other in a stretch of a chunk; seconds from the start of the chunk. */
export interface AlignmentSegment {
  start: number;
  end: number;
  /** As they are written, punctuation included. */
  words: readonly string[];
}

/** A word and when it is said; seconds from the start of the chunk. */
export interface AlignedWord {
  text: string;
  start: number;
  end: number;
  /** Its place among the words of the stretch; null for a term that was written instead. */
  segmentWordIndex: number | null;
}

export interface AlignmentRequest {
  /** The chunk, 16 kHz mono. */
  samples: Int16Array;
  /** In order of time; they do not overlap. */
  segments: readonly AlignmentSegment[];
  /** Terms that may have been said where something was written that sounds like them; empty when there are none. */
  terms: readonly string[];
  signal: AbortSignal;
}

export interface AlignmentResult {
  /**
   * For each stretch how many words were to be found, and the words in order, with given terms in the place of what
   * sounds like them; null where they could not be found.
   */
  segments: { count: number; found: AlignedWord[] | null }[];
  /** How many of the terms cannot be listened for. */
  unusedTerms: number;
}

/**
 * Finds out when words are said whose text is known already, for engines that tell what was said but not when; and
 * writes given terms where the sound says that they were meant.
 */
export interface WordAligner {
  /** BCP 47 tags of the languages whose words it can find. */
  readonly languages: readonly string[];
  /** Throws `EngineUnavailableError` when the programs are missing, or the reason of the abort. */
  align(request: AlignmentRequest): Promise<AlignmentResult>;
  close(): void;
}
