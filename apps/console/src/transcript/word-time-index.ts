import type { TranscriptSegment } from './transcript-document.ts';

/** The words of a transcript in order of time, for a search in logarithmic time. */
export interface WordTimeIndex {
  starts: Float64Array;
  ends: Float64Array;
  /** Segment of each word. */
  segments: Uint32Array;
  /** Index of the first word of each segment, and the number of words at the end. */
  firstWords: Uint32Array;
}

export function buildWordTimeIndex(segments: readonly TranscriptSegment[]): WordTimeIndex {
  const count = segments.reduce((sum, { words }) => sum + (words?.length ?? 0), 0);
  const index: WordTimeIndex = {
    starts: new Float64Array(count),
    ends: new Float64Array(count),
    segments: new Uint32Array(count),
    firstWords: new Uint32Array(segments.length + 1),
  };
  let next = 0;
  for (const [position, { words }] of segments.entries()) {
    index.firstWords[position] = next;
    for (const { start, end } of words ?? []) {
      index.starts[next] = start;
      index.ends[next] = end;
      index.segments[next] = position;
      next += 1;
    }
  }
  index.firstWords[segments.length] = next;
  return index;
}

/** The word that sounds at a time, or null in a pause. */
export function findWordIndexAtTime({ starts, ends }: WordTimeIndex, seconds: number): number | null {
  const last = findLastNotAfter(starts, seconds);
  return last >= 0 && seconds < (ends[last] ?? 0) ? last : null;
}

/** The segment that sounds at a time, or the last one before it; null before the first one. */
export function findSegmentIndexAtOrBeforeTime(
  segments: readonly TranscriptSegment[],
  seconds: number,
): number | null {
  const last = findLastNotAfter(segments, seconds, ({ start }) => start);
  return last >= 0 ? last : null;
}

/** The position of the last value that is not after the limit, or -1. */
function findLastNotAfter(values: Float64Array, limit: number): number;
function findLastNotAfter<T>(values: readonly T[], limit: number, toNumber: (value: T) => number): number;
function findLastNotAfter<T>(
  values: ArrayLike<T>,
  limit: number,
  toNumber: (value: T) => number = Number,
): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (toNumber(values[middle] as T) <= limit) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
