/** What a voice sounds like for about half a second of speech without a pause. */
export interface AcousticWindow {
  /** Seconds. */
  readonly start: number;
  /** Seconds; the start of the next window where the voice goes on without a pause. */
  readonly end: number;
  /** Frames (20 ms) that were loud enough to be described. */
  readonly frames: number;
  /** Frames of these that have a pitch. */
  readonly voiced: number;
  /** Mean of log2 hertz over the voiced frames; 0 where there are none. */
  readonly pitch: number;
  /** Mean of each cepstral coefficient over the frames. */
  readonly mean: Float64Array;
}

/** Seconds within which an end and a start are the same moment. */
const CONTIGUITY_SECONDS = 0.001;

/** True when there is no pause between two windows. */
export function isContiguous(before: AcousticWindow | undefined, after: AcousticWindow | undefined): boolean {
  return before !== undefined && after !== undefined && after.start - before.end < CONTIGUITY_SECONDS;
}
