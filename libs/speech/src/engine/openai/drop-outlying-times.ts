import type { ResponseWord } from './transcription-response.js';

/** Servers round the start of a word by up to this. */
const START_ROUNDING_SECONDS = 0.05;
/** Starts that are less out of order than this only need to be ordered. */
const JITTER_SECONDS = 0.5;

/** @param duration of the chunk, seconds */
export function beginsWithinChunk(start: number, duration: number): boolean {
  return start < duration + START_ROUNDING_SECONDS;
}

/**
 * Whisper pads the audio, so what begins within the chunk may end after it. What begins after the chunk is not in it, and keeps its end.
 * @param duration of the chunk, seconds
 */
export function limitToChunk(end: number, start: number, duration: number): number {
  return beginsWithinChunk(start, duration) ? Math.min(end, duration) : end;
}

/**
 * Removes times that are out of order, as whisper.cpp lists some: one late time would move all words after it. A time after the end of
 * the chunk is removed if a word within the chunk follows.
 * @param duration of the chunk, seconds
 */
export function dropOutlyingTimes(listed: readonly ResponseWord[], duration: number): ResponseWord[] {
  const starts = listed.map(({ start }) => (typeof start === 'number' ? start : null));
  const isWithin = (start: number | null) => start !== null && beginsWithinChunk(start, duration);
  const lastWithin = starts.findLastIndex(isWithin);
  const candidates = starts.flatMap((start, index) =>
    start !== null && (index > lastWithin || isWithin(start)) ? [{ index, start }] : [],
  );
  const kept = new Set(findLongestOrderedRun(candidates.map(({ start }) => start)));
  const plausible = new Set<number>();
  const nextKept = findNextKeptStarts(candidates, kept);
  let before = -Infinity;
  for (const [at, { index, start }] of candidates.entries()) {
    const isInPlace =
      start >= before - JITTER_SECONDS && start <= (nextKept[at] ?? Infinity) + JITTER_SECONDS;
    if (kept.has(at)) before = start;
    if (kept.has(at) || isInPlace) plausible.add(index);
  }
  return listed.map((word, index) =>
    starts[index] === null || plausible.has(index) ? word : { ...word, start: null, end: null },
  );
}

function findNextKeptStarts(candidates: readonly { start: number }[], kept: ReadonlySet<number>): number[] {
  const next: number[] = [];
  let after = Infinity;
  for (let at = candidates.length - 1; at >= 0; at -= 1) {
    next[at] = after;
    if (kept.has(at)) after = candidates[at]?.start ?? after;
  }
  return next;
}

/** Indices of the longest non-decreasing subsequence; of equally long ones that with the smallest last value. */
function findLongestOrderedRun(values: readonly number[]): number[] {
  /** By length minus one: the index of the smallest last value of a run of that length. */
  const ends: number[] = [];
  const previous: number[] = [];
  for (const [index, value] of values.entries()) {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((values[ends[middle] ?? 0] ?? 0) <= value) low = middle + 1;
      else high = middle;
    }
    previous[index] = low > 0 ? (ends[low - 1] ?? -1) : -1;
    ends[low] = index;
  }
  const run: number[] = [];
  for (let at = ends.at(-1) ?? -1; at >= 0; at = previous[at] ?? -1) run.push(at);
  return run.reverse();
}
