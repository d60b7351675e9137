/** Tells the language of speech by a trained model. */
export interface LanguageIdentifier {
  /**
   * @param samples 16 kHz mono; of more than 30 s the beginning is listened to
   * @returns BCP 47 tag; null when the model cannot tell
   * @throws AuxiliaryModelError; the reason of `signal` when it is aborted
   */
  languageOf(samples: Int16Array, signal: AbortSignal): Promise<string | null>;
}
