/** What preprocess leaves for a chunk stage, as a row. */
export interface ChunkInput extends Record<string, unknown> {
  /** Object key of the chunk's audio. */
  key: string;
  /** Seconds on the file's clock. */
  start: number;
  end: number;
  /** Where in it someone speaks; seconds on the chunk's clock. Absent in rows of versions that did not tell. */
  speech?: { start: number; end: number }[];
}

/** What a chunk stage leaves for aggregation, as a row; times on the chunk's clock. */
export interface ChunkOutput {
  language: string | null;
  words: { text: string; start: number; end: number; confidence: number | null; language: string | null }[];
  /** What was kept of the voices, as text; null or absent where they were not wanted or could not be described. */
  voices?: string | null;
  /** How many terms of the vocabulary the engine cannot listen for; none when absent. */
  unusedTerms?: number;
  /** True when the engine gave no times of words and they were estimated. */
  timesEstimated?: boolean;
  /** How many words were left out as the engine itself doubted them; none when absent. */
  doubtedWords?: number;
}
