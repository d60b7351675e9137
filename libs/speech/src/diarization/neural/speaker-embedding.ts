/** Where one voice speaks within a chunk, as the segmentation model told it, and what it sounds like. */
export interface LocalSpeaker {
  /** Seconds on the chunk's clock, in order of time. Turns of different voices may overlap. */
  turns: { start: number; end: number }[];
  /** The direction in which the embedding model puts the voice, of length 1; null where it said too little for one. */
  print: Float32Array | null;
}

/** The voices of a chunk as neural models described them. */
export interface ChunkSpeakers {
  /** Name of the embedding model: prints of different models must not be compared. */
  model: string;
  /** Cosine of two prints from which on that model takes them for one voice. */
  similarityThreshold: number;
  speakers: LocalSpeaker[];
}

/** The same direction with length 1; null where there is none. */
export function toUnitVector(values: ArrayLike<number>): Float32Array | null {
  const length = Math.hypot(...Array.from(values));
  if (!Number.isFinite(length) || length === 0) return null;
  return Float32Array.from(values, (value) => value / length);
}
