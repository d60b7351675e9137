import { breakCost } from './break-cost.js';
import type { CueToken } from './cue-token.js';
import { LineWidths } from './line-widths.js';

/** Seconds a cue stays, at least where the next one lets it, and at most. */
export const MIN_CUE_SECONDS = 1;
export const MAX_CUE_SECONDS = 7;

const CUE_COST = 8;
const JOINED_SEGMENT_COST = 10;
const MISSING_SECOND_COST = 40;
/** Seconds of silence inside a cue that read as a mistake. */
const LONG_GAP_SECONDS = 1;
const LONG_GAP_COST = 10;

/**
 * The best places to cut one voice's words into cues: all fit, phrases stay whole, few are too short.
 * Looks back over one cue's length only, so it is linear in the number of pieces.
 * @param until seconds up to which the last cue may stay
 * @returns the end (exclusive) of every cue
 */
export function chooseCueBreaks(pieces: readonly CueToken[], until: number): number[] {
  const ruler = new LineWidths(pieces);
  const cost: number[] = [0];
  const from: number[] = [0];
  for (let end = 1; end <= pieces.length; end += 1) {
    let best = Infinity;
    let inner = 0;
    for (let start = end - 1; start >= 0 && fitInOneCue(pieces, ruler, start, end); start -= 1) {
      if (start < end - 1) inner += joinCost(pieces[start], pieces[start + 1]);
      const total = (cost[start] ?? 0) + inner + cueCost(pieces, start, end, until);
      if (total < best) {
        best = total;
        from[end] = start;
      }
    }
    cost[end] = best;
  }
  return traceCueEnds(from, pieces.length);
}

function fitInOneCue(pieces: readonly CueToken[], ruler: LineWidths, start: number, end: number): boolean {
  const seconds = (pieces[end - 1]?.end ?? 0) - (pieces[start]?.start ?? 0);
  return end - start === 1 || (seconds <= MAX_CUE_SECONDS && ruler.fits(start, end));
}

function cueCost(pieces: readonly CueToken[], start: number, end: number, until: number): number {
  const next = pieces[end];
  const last = pieces[end - 1];
  const seconds = (next?.start ?? until) - (pieces[start]?.start ?? 0);
  const tooShort = Math.max(0, MIN_CUE_SECONDS - seconds) * MISSING_SECOND_COST;
  return CUE_COST + tooShort + (next && last ? breakCost(last, next) : 0);
}

function joinCost(before: CueToken | undefined, after: CueToken | undefined): number {
  if (!before || !after) return 0;
  const gap = after.start - before.end > LONG_GAP_SECONDS ? LONG_GAP_COST : 0;
  return gap + (after.startsSegment ? JOINED_SEGMENT_COST : 0);
}

function traceCueEnds(from: readonly number[], length: number): number[] {
  const ends: number[] = [];
  for (let end = length; end > 0; end = from[end] ?? end - 1) ends.push(end);
  return ends.reverse();
}
