import { LONGEST_CUE, SHORTEST_CUE } from './breaks.js';
import type { Cue } from './cue.js';

/** Seconds a cue lingers after its last word, to be read to the end. */
const LINGER = 0.4;

/**
 * Seconds to milliseconds: short cues stay for a second and every cue lingers a little, as far as the next cue and
 * the end of the audio let them. Words without a length of their own still get a millisecond each.
 */
export function placeCues(drafts: readonly Cue[], duration: number): Cue[] {
  const limit = toMs(duration);
  let free = 0;
  return drafts.map((draft, index) => {
    const start = Math.max(toMs(draft.start), free);
    const spoken = Math.max(toMs(draft.end), start);
    const wanted = Math.max(spoken + toMs(LINGER), start + toMs(SHORTEST_CUE));
    const next = drafts[index + 1];
    const bound = Math.min(
      start + toMs(LONGEST_CUE),
      next ? toMs(next.start) : Math.max(limit, spoken),
      Math.max(limit, spoken),
    );
    free = Math.max(start + 1, Math.min(wanted, bound));
    return { ...draft, start, end: free };
  });
}

function toMs(seconds: number): number {
  return Math.round(seconds * 1000);
}
