/** Seconds of silence that end a sentence of somebody of whom little is known. */
export const DEFAULT_SENTENCE_PAUSE_SECONDS = 0.6;
/** The least and the most it is taken for, however somebody speaks. */
const MIN_SENTENCE_PAUSE_SECONDS = 0.3;
const MAX_SENTENCE_PAUSE_SECONDS = 0.9;
/** Less than this is part of a sound, more is not for breathing. */
const MIN_PAUSE_SECONDS = 0.1;
const MAX_PAUSE_SECONDS = 3;
/** So many pauses tell how somebody pauses. */
const MIN_PAUSES = 12;
/** Ends of sentences are among the longer half of somebody's pauses. */
const MEDIAN_FACTOR = 1.2;

/**
 * The silence that ends a sentence of one speaker: people who speak slowly pause for long within sentences too.
 * @param pauses seconds between words that follow each other
 */
export function estimateSentencePause(pauses: readonly number[]): number {
  const breaths = pauses
    .filter((pause) => pause > MIN_PAUSE_SECONDS && pause < MAX_PAUSE_SECONDS)
    .sort((a, b) => a - b);
  const median = breaths[Math.floor(breaths.length / 2)];
  if (median === undefined || breaths.length < MIN_PAUSES) return DEFAULT_SENTENCE_PAUSE_SECONDS;
  return Math.min(MAX_SENTENCE_PAUSE_SECONDS, Math.max(MIN_SENTENCE_PAUSE_SECONDS, MEDIAN_FACTOR * median));
}
