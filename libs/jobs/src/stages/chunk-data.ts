/** Stored by preprocess. */
export interface ChunkInput extends Record<string, unknown> {
  key: string;
  /** Seconds from the start of the file. */
  start: number;
  end: number;
  /** Detected speech, in seconds from the start of the chunk. Absent in rows of older versions. */
  speech?: { start: number; end: number }[];
}

/** Times in seconds from the start of the chunk. */
export interface ChunkOutput {
  language: string | null;
  words: { text: string; start: number; end: number; confidence: number | null; language: string | null }[];
  /** Features of the voices; null or absent if not requested or not available. */
  voices?: string | null;
  /** Vocabulary terms that the engine cannot use; absent for none. */
  unusedTerms?: number;
  /** The engine returned no word times. */
  timesEstimated?: boolean;
  /** Number of removed low-confidence words; absent for none. */
  doubtedWords?: number;
}
