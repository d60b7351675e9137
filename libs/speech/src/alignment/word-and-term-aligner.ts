/** Consecutive words; times in seconds from the start of the chunk. */
export interface AlignmentSegment {
  start: number;
  end: number;
  /** With punctuation. */
  words: readonly string[];
}

/** Times in seconds from the start of the chunk. */
export interface AlignedWord {
  text: string;
  start: number;
  end: number;
  /** Index in the segment's words; null for a vocabulary term that replaced some of them. */
  segmentWordIndex: number | null;
}

export interface AlignmentRequest {
  /** The chunk, 16 kHz mono. */
  samples: Int16Array;
  /** In order of time, not overlapping. */
  segments: readonly AlignmentSegment[];
  /** Vocabulary terms that may replace words which sound similar. */
  terms: readonly string[];
  signal: AbortSignal;
}

export interface AlignmentResult {
  /** `found` is null where alignment failed. */
  segments: { count: number; found: AlignedWord[] | null }[];
  unusedTerms: number;
}

/** Finds the times of known words, and vocabulary terms that were misrecognized. */
export interface WordAndTermAligner {
  /** BCP 47 tags. */
  readonly languages: readonly string[];
  /** @throws EngineUnavailableError when a program is missing; the reason of `signal` when it is aborted */
  align(request: AlignmentRequest): Promise<AlignmentResult>;
  close(): void;
}
