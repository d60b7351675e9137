/** Samples from the start of the sound; the one of `end` is not included. */
export interface SampleRange {
  start: number;
  end: number;
}

/** Tells speech from everything else by a trained model. */
export interface SpeechDetector {
  /**
   * @param samples 16 kHz mono, below a minute
   * @returns stretches of speech in order of time, not overlapping
   * @throws AuxiliaryModelError; the reason of `signal` when it is aborted
   */
  detect(samples: Int16Array, signal: AbortSignal): Promise<SampleRange[]>;
}
