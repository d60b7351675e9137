/** Samples from the start of the sound; the one of `end` is not included. */
export interface SampleSpan {
  start: number;
  end: number;
}

/** Tells speech from everything else by a trained model. */
export interface SpeechFinder {
  /**
   * @param samples 16 kHz mono, below a minute
   * @returns stretches of speech in order of time, not overlapping
   * @throws AidFailed; the reason of `signal` when it is aborted
   */
  find(samples: Int16Array, signal: AbortSignal): Promise<SampleSpan[]>;
}
