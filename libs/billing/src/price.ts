/** Whole credits for so many seconds of audio: every started second counts. */
export function priceOf(seconds: number, creditsPerSecond: number): number {
  return Math.ceil(seconds) * creditsPerSecond;
}
