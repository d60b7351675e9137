/** Describes voices by trained models. */
export interface SpeakerFeatureExtractor {
  /**
   * @param samples 16 kHz mono, a chunk of a file
   * @returns text for `diarize`
   * @throws AuxiliaryModelError; the reason of `signal` when it is aborted
   */
  describe(samples: Int16Array, signal: AbortSignal): Promise<string>;
}
