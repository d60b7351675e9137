/** The pause between sentences of a speaker with too few pauses to measure. */
export const DEFAULT_SENTENCE_PAUSE_SECONDS = 0.6;
const MIN_SENTENCE_PAUSE_SECONDS = 0.3;
const MAX_SENTENCE_PAUSE_SECONDS = 0.9;
/** Shorter pauses belong to a sound, longer ones are not for breathing. */
const MIN_PAUSE_SECONDS = 0.1;
const MAX_PAUSE_SECONDS = 3;
const MIN_PAUSES = 12;
/** Sentences end at the longer half of a speaker's pauses. */
const MEDIAN_FACTOR = 1.2;

/** Slow speakers also pause longer within sentences. @param pauses seconds between consecutive words */
export function estimateSentencePauseSeconds(pauses: readonly number[]): number {
  const breaths = pauses
    .filter((pause) => pause > MIN_PAUSE_SECONDS && pause < MAX_PAUSE_SECONDS)
    .sort((a, b) => a - b);
  const median = breaths[Math.floor(breaths.length / 2)];
  if (median === undefined || breaths.length < MIN_PAUSES) return DEFAULT_SENTENCE_PAUSE_SECONDS;
  return Math.min(MAX_SENTENCE_PAUSE_SECONDS, Math.max(MIN_SENTENCE_PAUSE_SECONDS, MEDIAN_FACTOR * median));
}
