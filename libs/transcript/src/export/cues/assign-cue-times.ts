import { MAX_CUE_SECONDS, MIN_CUE_SECONDS } from './choose-cue-breaks.js';
import type { Cue } from './cue.js';

/** Seconds a cue lingers after its last word, to be read to the end. */
const LINGER_SECONDS = 0.4;

/**
 * Seconds to milliseconds: short cues stay for a second and every cue lingers a little, as far as the next cue and
 * the end of the audio let them. Words without a length of their own still get a millisecond each.
 */
export function assignCueTimes(drafts: readonly Cue[], duration: number): Cue[] {
  const limit = toMilliseconds(duration);
  let free = 0;
  return drafts.map((draft, index) => {
    const start = Math.max(toMilliseconds(draft.start), free);
    const spoken = Math.max(toMilliseconds(draft.end), start);
    const wanted = Math.max(spoken + toMilliseconds(LINGER_SECONDS), start + toMilliseconds(MIN_CUE_SECONDS));
    const next = drafts[index + 1];
    const bound = Math.min(
      start + toMilliseconds(MAX_CUE_SECONDS),
      next ? toMilliseconds(next.start) : Math.max(limit, spoken),
      Math.max(limit, spoken),
    );
    free = Math.max(start + 1, Math.min(wanted, bound));
    return { ...draft, start, end: free };
  });
}

function toMilliseconds(seconds: number): number {
  return Math.round(seconds * 1000);
}
