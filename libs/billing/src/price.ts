/** Microseconds are shorter than a sample and longer than rounding errors of times. */
const MICROSECONDS_PER_SECOND = 1e6;

/** Whole credits; every started second counts. */
export function computePriceInCredits(seconds: number, creditsPerSecond: number): number {
  return (
    Math.ceil(Math.round(seconds * MICROSECONDS_PER_SECOND) / MICROSECONDS_PER_SECOND) * creditsPerSecond
  );
}
