/** Seconds of silence that end a sentence of somebody of whom little is known. */
export const USUAL_PAUSE = 0.6;
/** The least and the most it is taken for, however somebody speaks. */
const LEAST = 0.3;
const MOST = 0.9;
/** Less than this is part of a sound, more is not for breathing. */
const SHORTEST = 0.1;
const LONGEST = 3;
/** So many pauses tell how somebody pauses. */
const ENOUGH = 12;
/** Ends of sentences are among the longer half of somebody's pauses. */
const OVER_MEDIAN = 1.2;

/**
 * The silence that ends a sentence of one speaker: people who speak slowly pause for long within sentences too.
 * @param pauses seconds between words that follow each other
 */
export function endingPause(pauses: readonly number[]): number {
  const breaths = pauses.filter((pause) => pause > SHORTEST && pause < LONGEST).sort((a, b) => a - b);
  const median = breaths[Math.floor(breaths.length / 2)];
  if (median === undefined || breaths.length < ENOUGH) return USUAL_PAUSE;
  return Math.min(MOST, Math.max(LEAST, OVER_MEDIAN * median));
}
