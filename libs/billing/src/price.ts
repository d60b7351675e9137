/** Far below a sample, far above what sums and differences of times are off by. */
const MICROSECONDS_PER_SECOND = 1e6;

/** Whole credits for so many seconds of audio: every started second counts. */
export function computePrice(seconds: number, creditsPerSecond: number): number {
  return (
    Math.ceil(Math.round(seconds * MICROSECONDS_PER_SECOND) / MICROSECONDS_PER_SECOND) * creditsPerSecond
  );
}
