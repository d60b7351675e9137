import type { CaptionLayout } from './caption-layout.js';
import { computeLineBreakCost } from './line-break-cost.js';
import type { CueToken } from './cue-token.js';
import { CaptionLineMeasurer } from './break-caption-lines.js';
import type { Cue } from './cue.js';

/** The minimum applies if the next cue allows it. */
const MIN_CUE_SECONDS = 1;
const MAX_CUE_SECONDS = 7;

const CUE_COST = 8;
const JOINED_SEGMENT_COST = 10;
const MISSING_SECOND_COST = 40;
/** Such a silence within a cue looks like a mistake. */
const LONG_GAP_SECONDS = 1;
const LONG_GAP_COST = 10;

/**
 * Dynamic programming: all cues fit, phrases stay whole, few are too short. Time is linear.
 * @param until end of the last cue at the latest, in seconds
 * @returns the end (exclusive) of every cue
 */
export function chooseCueBreaks(tokens: readonly CueToken[], until: number, layout: CaptionLayout): number[] {
  const widths = new CaptionLineMeasurer(tokens, layout);
  const cost: number[] = [0];
  const from: number[] = [0];
  for (let end = 1; end <= tokens.length; end += 1) {
    cost[end] = Infinity;
    // A cue with the label alone would have no duration.
    if (tokens[end - 1]?.isLabel) continue;
    let best = Infinity;
    let inner = 0;
    for (let start = end - 1; start >= 0 && fitInOneCue(tokens, widths, start, end); start -= 1) {
      if (start < end - 1) inner += joinCost(tokens[start], tokens[start + 1]);
      const total = (cost[start] ?? 0) + inner + cueCost(tokens, start, end, until);
      if (total < best) {
        best = total;
        from[end] = start;
      }
    }
    cost[end] = best;
  }
  return traceCueEnds(from, tokens.length);
}

function fitInOneCue(
  tokens: readonly CueToken[],
  widths: CaptionLineMeasurer,
  start: number,
  end: number,
): boolean {
  const spoken = end - start - (tokens[start]?.isLabel ? 1 : 0);
  const seconds = (tokens[end - 1]?.end ?? 0) - (tokens[start]?.start ?? 0);
  return end - start === 1 || ((seconds <= MAX_CUE_SECONDS || spoken === 1) && widths.fits(start, end));
}

function cueCost(tokens: readonly CueToken[], start: number, end: number, until: number): number {
  const next = tokens[end];
  const last = tokens[end - 1];
  const seconds = (next?.start ?? until) - (tokens[start]?.start ?? 0);
  const tooShort = Math.max(0, MIN_CUE_SECONDS - seconds) * MISSING_SECOND_COST;
  return CUE_COST + tooShort + (next && last ? computeLineBreakCost(last, next) : 0);
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

/** A cue is shown this long after its last word. */
const LINGER_SECONDS = 0.4;
/** People on several channels at once: a cue that is later than this no longer delays others. */
const MAX_DELAY_SECONDS = 8;

/**
 * Cues keep a minimum duration as far as the next cue and the end of the audio allow; one of zero length gets a
 * millisecond.
 */
export function extendCueTimesAndConvertToMillis(drafts: readonly Cue[], duration: number): Cue[] {
  const limit = toMilliseconds(duration);
  let free = 0;
  return drafts.map((draft, index) => {
    const start = Math.max(toMilliseconds(draft.start), free);
    const spoken = Math.max(toMilliseconds(draft.end), start);
    const wanted = Math.max(spoken + toMilliseconds(LINGER_SECONDS), start + toMilliseconds(MIN_CUE_SECONDS));
    const next = drafts[index + 1];
    const bound = Math.min(
      start + toMilliseconds(MAX_CUE_SECONDS),
      next ? endBefore(next, draft, { start, spoken }) : Math.max(limit, spoken),
      Math.max(limit, spoken),
    );
    free = Math.max(start + 1, Math.min(wanted, bound));
    return { ...draft, start, end: free };
  });
}

/**
 * The start of the next cue, unless somebody talks meanwhile: a brief remark waits until a second before this one was spoken, and
 * a cue that is about as long shares the time. A cue that had to wait is shown for the minimum duration if the next one then has
 * that itself, and otherwise for at least half of it.
 * @param times of the cue in milliseconds: its start, and when its words have been spoken
 */
function endBefore(next: Cue, cue: Cue, times: { start: number; spoken: number }): number {
  const { start, spoken } = times;
  const minimum = toMilliseconds(MIN_CUE_SECONDS);
  const [nextStart, nextEnd] = [toMilliseconds(next.start), toMilliseconds(next.end)];
  const delay = start - toMilliseconds(cue.start);
  const needed =
    delay > 0
      ? start + Math.min(minimum, Math.max(0, toMilliseconds(MAX_DELAY_SECONDS) - delay))
      : Math.min(spoken, start + minimum);
  const isBrief = nextEnd - nextStart < Math.max(minimum, (spoken - start) / 2) || nextEnd - minimum < start;
  const least = delay > 0 ? Math.round((start + needed) / 2) : start;
  const [latest, share] = isBrief
    ? [needed, Infinity]
    : [Math.min(needed, Math.max(least, nextEnd - minimum)), Math.round((start + nextEnd) / 2)];
  const overlapEnd = nextStart < spoken ? Math.min(spoken - minimum, share) : 0;
  return Math.max(nextStart, latest, overlapEnd);
}

function toMilliseconds(seconds: number): number {
  return Math.round(seconds * 1000);
}
