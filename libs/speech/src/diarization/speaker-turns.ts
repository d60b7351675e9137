import type { AcousticWindow } from './acoustic-window.js';

/** A stretch in which one voice speaks; seconds on the file's clock. */
export interface SpeakerTurn {
  /** Dense from 0, by first appearance. */
  speaker: number;
  start: number;
  end: number;
}

/** Seconds of silence within which a voice is taken to go on. */
const MAX_GAP_SECONDS = 0.6;

/** Turns of windows in order of time, each with the index of its voice. */
export function buildTurns(windows: readonly AcousticWindow[], voices: Int32Array): SpeakerTurn[] {
  return mergeOrderedTurns(windowTurns(windows, voices));
}

/** One after the other: as many turns as windows would take more room than the windows do. */
function* windowTurns(windows: readonly AcousticWindow[], voices: Int32Array): Generator<SpeakerTurn> {
  for (const [index, { start, end }] of windows.entries()) yield { speaker: voices[index] ?? 0, start, end };
}

/**
 * The turns in order of time, numbered by first appearance; where a voice goes on without another between, its turns
 * are one.
 * @param turns of any numbers, in any order
 */
export function mergeTurns(turns: readonly SpeakerTurn[]): SpeakerTurn[] {
  return mergeOrderedTurns(turns.toSorted((a, b) => a.start - b.start));
}

function mergeOrderedTurns(inOrder: Iterable<SpeakerTurn>): SpeakerTurn[] {
  const speakers = new Map<number, number>();
  const turns: SpeakerTurn[] = [];
  for (const { speaker: voice, start, end } of inOrder) {
    const speaker = speakers.get(voice) ?? speakers.size;
    speakers.set(voice, speaker);
    const last = turns.at(-1);
    if (last?.speaker === speaker && start - last.end <= MAX_GAP_SECONDS) last.end = Math.max(last.end, end);
    else turns.push({ speaker, start, end });
  }
  return turns;
}
