/** The voices of one chunk of a file. */
export interface ChunkSpeakerFeatures {
  /** Seconds on the file's clock. */
  start: number;
  /** What `extractSpeakerFeatures` made of it, or the models did. */
  voices: string;
}
