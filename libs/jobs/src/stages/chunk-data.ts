/** Input of a chunk stage, stored by preprocess. */
export interface ChunkInput extends Record<string, unknown> {
  /** Object key of the audio of the chunk. */
  key: string;
  /** Seconds from the start of the file. */
  start: number;
  end: number;
  /** Detected speech, in seconds from the start of the chunk. Absent in rows of older versions. */
  speech?: { start: number; end: number }[];
}

/** Output of a chunk stage for aggregation; times in seconds from the start of the chunk. */
export interface ChunkOutput {
  language: string | null;
  words: { text: string; start: number; end: number; confidence: number | null; language: string | null }[];
  /** Description of the voices; null or absent if not requested or not available. */
  voices?: string | null;
  /** Number of vocabulary terms that the engine cannot use; absent for none. */
  unusedTerms?: number;
  /** True if the word times were estimated because the engine returned none. */
  timesEstimated?: boolean;
  /** Number of removed low-confidence words; absent for none. */
  doubtedWords?: number;
}
