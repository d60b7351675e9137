import type { SpeakerTurn } from '../assembly-input.js';

interface Span {
  start: number;
  end: number;
}

/** A word farther from any turn has no speaker. */
const MAX_TURN_DISTANCE_SECONDS = 1.5;

/**
 * Chooses who speaks longest during a word, else the nearest turn.
 * @param words in order, not overlapping
 * @returns labels of turns; null if no turn is near
 */
export function findSpeakerLabelPerWord(
  words: readonly Span[],
  turns: readonly SpeakerTurn[],
): (string | null)[] {
  const ordered = turns.filter((turn) => turn.end > turn.start).sort((a, b) => a.start - b.start);
  let next = 0;
  let active: SpeakerTurn[] = [];
  let latest: SpeakerTurn | undefined;

  return words.map((word) => {
    for (let turn = ordered[next]; turn && turn.start <= word.end; turn = ordered[next]) {
      active.push(turn);
      next += 1;
    }
    const still: SpeakerTurn[] = [];
    for (const turn of active) {
      if (turn.end >= word.start) still.push(turn);
      else if (!latest || turn.end > latest.end) latest = turn;
    }
    active = still;
    return longestOverlap(word, active) ?? nearestTurn(word, latest, ordered[next]);
  });
}

function longestOverlap(word: Span, turns: readonly SpeakerTurn[]): string | null {
  const seconds = new Map<string, number>();
  for (const turn of turns) {
    const overlap = Math.min(word.end, turn.end) - Math.max(word.start, turn.start);
    const label = String(turn.speaker);
    if (overlap >= 0) seconds.set(label, (seconds.get(label) ?? 0) + overlap);
  }
  let best: string | null = null;
  for (const [label, overlap] of seconds) {
    if (best === null || overlap > (seconds.get(best) ?? 0)) best = label;
  }
  return best;
}

function nearestTurn(
  word: Span,
  before: SpeakerTurn | undefined,
  after: SpeakerTurn | undefined,
): string | null {
  const toBefore = before ? word.start - before.end : Infinity;
  const toAfter = after ? after.start - word.end : Infinity;
  const turn = toBefore <= toAfter ? before : after;
  return turn && Math.min(toBefore, toAfter) <= MAX_TURN_DISTANCE_SECONDS ? String(turn.speaker) : null;
}
