import type { TranscriptSegment } from './transcript-document.ts';

/** Spans of time in the order of a document, for a binary search. They may overlap, as people do. */
interface TimeIndex {
  starts: Float64Array;
  ends: Float64Array;
  /** Positions in the document, by start. */
  order: Uint32Array;
  /** The latest end among the spans up to each one, in that order. */
  latestEnds: Float64Array;
}

/** The times of the words and segments of a transcript. */
export interface WordTimeIndex extends TimeIndex {
  /** Index of the first word of each segment, and the number of words at the end. */
  firstWords: Uint32Array;
  segmentTimes: TimeIndex;
}

export function buildWordTimeIndex(segments: readonly TranscriptSegment[]): WordTimeIndex {
  const words = segments.flatMap((segment) => segment.words ?? []);
  const firstWords = new Uint32Array(segments.length + 1);
  let next = 0;
  for (const [position, segment] of segments.entries()) {
    firstWords[position] = next;
    next += segment.words?.length ?? 0;
  }
  firstWords[segments.length] = next;
  return {
    ...buildTimeIndex(words),
    firstWords,
    segmentTimes: buildTimeIndex(segments),
  };
}

function buildTimeIndex(spans: readonly { start: number; end: number }[]): TimeIndex {
  const starts = Float64Array.from(spans, ({ start }) => start);
  const ends = Float64Array.from(spans, ({ end }) => end);
  const order = Uint32Array.from(spans, (_, position) => position);
  order.sort((a, b) => (starts[a] ?? 0) - (starts[b] ?? 0) || a - b);
  const latestEnds = new Float64Array(order.length);
  let latest = Number.NEGATIVE_INFINITY;
  for (const [rank, position] of order.entries()) {
    latest = Math.max(latest, ends[position] ?? latest);
    latestEnds[rank] = latest;
  }
  return { starts, ends, order, latestEnds };
}

/** The word that sounds at a time: of several, the one that began last; null in a pause. */
export function findWordIndexAtTime(index: WordTimeIndex, seconds: number): number | null {
  return findSounding(index, seconds, findLastStarted(index, seconds));
}

/**
 * The segment that sounds at a time: of several, the one that began last. In a pause the one that began last before it; null
 * before the first one.
 */
export function findSegmentIndexAtOrBeforeTime(
  { segmentTimes }: WordTimeIndex,
  seconds: number,
): number | null {
  const last = findLastStarted(segmentTimes, seconds);
  return findSounding(segmentTimes, seconds, last) ?? segmentTimes.order[last] ?? null;
}

/** Goes back from a rank in the order of starts, as long as anything before may still sound. */
function findSounding(
  { ends, order, latestEnds }: TimeIndex,
  seconds: number,
  lastRank: number,
): number | null {
  for (let rank = lastRank; rank >= 0 && seconds < (latestEnds[rank] ?? 0); rank -= 1) {
    const position = order[rank] ?? 0;
    if (seconds < (ends[position] ?? 0)) return position;
  }
  return null;
}

/** The rank of the last span that has begun, in the order of starts, or -1. */
function findLastStarted({ starts, order }: TimeIndex, seconds: number): number {
  let low = 0;
  let high = order.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((starts[order[middle] ?? 0] ?? 0) <= seconds) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
