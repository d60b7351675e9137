/** Describes voices by trained models. */
export interface VoiceDescriber {
  /**
   * @param samples 16 kHz mono, a chunk of a file
   * @returns text for `tellSpeakers`
   * @throws AidFailed; the reason of `signal` when it is aborted
   */
  describe(samples: Int16Array, signal: AbortSignal): Promise<string>;
}
