import type { AcousticWindow } from './acoustic-window.js';

/** Seconds from the start of the file. */
export interface SpeakerTurn {
  /** Numbered from 0 by first appearance. */
  speaker: number;
  start: number;
  end: number;
}

/** Turns of one speaker are merged across gaps up to this. */
const MAX_GAP_SECONDS = 0.6;

/** @param speakers speaker of each window */
export function buildTurns(windows: readonly AcousticWindow[], speakers: Int32Array): SpeakerTurn[] {
  return mergeOrderedTurns(windowTurns(windows, speakers));
}

/** A generator, because a list of turns would take more memory than the windows. */
function* windowTurns(windows: readonly AcousticWindow[], speakers: Int32Array): Generator<SpeakerTurn> {
  for (const [index, { start, end }] of windows.entries())
    yield { speaker: speakers[index] ?? 0, start, end };
}

/** Merges consecutive turns of one speaker. @param turns in any order, with any speaker numbers */
export function mergeAndRenumberTurns(turns: readonly SpeakerTurn[]): SpeakerTurn[] {
  return mergeOrderedTurns(turns.toSorted((a, b) => a.start - b.start));
}

function mergeOrderedTurns(sorted: Iterable<SpeakerTurn>): SpeakerTurn[] {
  const numbers = new Map<number, number>();
  const turns: SpeakerTurn[] = [];
  for (const { speaker: original, start, end } of sorted) {
    const speaker = numbers.get(original) ?? numbers.size;
    numbers.set(original, speaker);
    const last = turns.at(-1);
    if (last?.speaker === speaker && start - last.end <= MAX_GAP_SECONDS) last.end = Math.max(last.end, end);
    else turns.push({ speaker, start, end });
  }
  return turns;
}
