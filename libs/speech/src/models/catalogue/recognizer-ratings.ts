export interface RecognizerRankAndMinAccuracy {
  /** `ENGINE=auto` prefers a higher one. */
  rank: number;
  /** Share of the words of the bundled dialogue that the model must get right to be chosen by `ENGINE=auto`. */
  minWordsRight: number;
}

/**
 * The ranks follow published comparisons of errors and speed on CPUs; the project measured none of these models. The bounds
 * are therefore wide: they find models that do not work here, not models that are a little worse.
 */
export const RECOGNIZER_RANKS_AND_MIN_ACCURACIES: Readonly<Record<string, RecognizerRankAndMinAccuracy>> = {
  'parakeet-tdt-0.6b-v3': { rank: 100, minWordsRight: 0.8 },
  'parakeet-tdt-0.6b-v2': { rank: 95, minWordsRight: 0.8 },
  'whisper-turbo': { rank: 80, minWordsRight: 0.8 },
  'whisper-medium': { rank: 65, minWordsRight: 0.8 },
  'moonshine-base-en': { rank: 60, minWordsRight: 0.7 },
  // It makes fewer errors than Moonshine, but the library lets it write a word for any sound.
  'canary-180m-flash': { rank: 58, minWordsRight: 0.7 },
  'whisper-small.en': { rank: 57, minWordsRight: 0.8 },
  'whisper-small': { rank: 55, minWordsRight: 0.8 },
  'sense-voice': { rank: 50, minWordsRight: 0.7 },
  'whisper-base.en': { rank: 35, minWordsRight: 0.7 },
  'whisper-base': { rank: 30, minWordsRight: 0.7 },
  'moonshine-tiny-en': { rank: 25, minWordsRight: 0.6 },
  'omnilingual-300m': { rank: 20, minWordsRight: 0.5 },
  'whisper-tiny.en': { rank: 15, minWordsRight: 0.6 },
  'whisper-tiny': { rank: 10, minWordsRight: 0.6 },
};

/** For models outside of the catalogue, such as those of the operator: used before pocketsphinx, after all others. */
export const DEFAULT_RECOGNIZER_RANK_AND_MIN_ACCURACY: RecognizerRankAndMinAccuracy = {
  rank: 0,
  minWordsRight: 0.7,
};
