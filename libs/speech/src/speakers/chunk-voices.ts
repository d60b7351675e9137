/** The voices of one chunk of a file. */
export interface ChunkVoices {
  /** Seconds on the file's clock. */
  start: number;
  /** What `describeVoices` made of it, or the models did. */
  voices: string;
}
