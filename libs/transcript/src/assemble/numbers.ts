/** Three decimals, which keeps the order. */
export function roundToThreeDecimals(seconds: number): number {
  return Math.round(seconds * 1000) / 1000;
}

export function clamp(value: number, low: number, high: number): number {
  return Math.min(Math.max(value, low), high);
}

/** Weighted by duration, three decimals; unweighted if all durations are zero; null without any. */
export function computeDurationWeightedConfidence(
  words: readonly { start: number; end: number; confidence: number | null }[],
): number | null {
  let weighted = 0;
  let seconds = 0;
  let sum = 0;
  let count = 0;
  for (const { start, end, confidence } of words) {
    if (confidence === null) continue;
    weighted += confidence * (end - start);
    seconds += end - start;
    sum += confidence;
    count += 1;
  }
  if (count === 0) return null;
  return roundToThreeDecimals(seconds > 0 ? weighted / seconds : sum / count);
}
