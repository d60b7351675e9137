import { breakCost } from './phrasing.js';
import type { Piece } from './piece.js';
import { Ruler } from './ruler.js';

/** Seconds a cue stays, at least where the next one lets it, and at most. */
export const SHORTEST_CUE = 1;
export const LONGEST_CUE = 7;

const PER_CUE = 8;
const PER_JOINED_SEGMENT = 10;
const PER_MISSING_SECOND = 40;
/** Seconds of silence inside a cue that read as a mistake. */
const LONG_GAP = 1;
const PER_LONG_GAP = 10;

/**
 * The best places to cut one voice's words into cues: all fit, phrases stay whole, few are too short.
 * Looks back over one cue's length only, so it is linear in the number of pieces.
 * @param until seconds up to which the last cue may stay
 * @returns the end (exclusive) of every cue
 */
export function chooseBreaks(pieces: readonly Piece[], until: number): number[] {
  const ruler = new Ruler(pieces);
  const cost: number[] = [0];
  const from: number[] = [0];
  for (let end = 1; end <= pieces.length; end += 1) {
    let best = Infinity;
    let inner = 0;
    for (let start = end - 1; start >= 0 && mayShare(pieces, ruler, start, end); start -= 1) {
      if (start < end - 1) inner += joinCost(pieces[start], pieces[start + 1]);
      const total = (cost[start] ?? 0) + inner + cueCost(pieces, start, end, until);
      if (total < best) {
        best = total;
        from[end] = start;
      }
    }
    cost[end] = best;
  }
  return walkBack(from, pieces.length);
}

function mayShare(pieces: readonly Piece[], ruler: Ruler, start: number, end: number): boolean {
  const seconds = (pieces[end - 1]?.end ?? 0) - (pieces[start]?.start ?? 0);
  return end - start === 1 || (seconds <= LONGEST_CUE && ruler.fits(start, end));
}

function cueCost(pieces: readonly Piece[], start: number, end: number, until: number): number {
  const next = pieces[end];
  const last = pieces[end - 1];
  const seconds = (next?.start ?? until) - (pieces[start]?.start ?? 0);
  const tooShort = Math.max(0, SHORTEST_CUE - seconds) * PER_MISSING_SECOND;
  return PER_CUE + tooShort + (next && last ? breakCost(last, next) : 0);
}

function joinCost(before: Piece | undefined, after: Piece | undefined): number {
  if (!before || !after) return 0;
  const gap = after.start - before.end > LONG_GAP ? PER_LONG_GAP : 0;
  return gap + (after.opens ? PER_JOINED_SEGMENT : 0);
}

function walkBack(from: readonly number[], length: number): number[] {
  const ends: number[] = [];
  for (let end = length; end > 0; end = from[end] ?? end - 1) ends.push(end);
  return ends.reverse();
}
