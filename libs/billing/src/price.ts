/** Far below a sample, far above what sums and differences of times are off by. */
const MICROSECOND = 1e6;

/** Whole credits for so many seconds of audio: every started second counts. */
export function priceOf(seconds: number, creditsPerSecond: number): number {
  return Math.ceil(Math.round(seconds * MICROSECOND) / MICROSECOND) * creditsPerSecond;
}
