import type { VoiceWindow } from './voice-window.js';

/** A stretch in which one voice speaks; seconds on the file's clock. */
export interface VoiceTurn {
  /** Dense from 0, by first appearance. */
  speaker: number;
  start: number;
  end: number;
}

/** Seconds of silence within which a voice is taken to go on. */
const LONGEST_BREATH = 0.6;

/** Turns of windows in order of time, each with the index of its voice. */
export function turnsOf(windows: readonly VoiceWindow[], voices: Int32Array): VoiceTurn[] {
  return joined(eachTurn(windows, voices));
}

/** One after the other: as many turns as windows would take more room than the windows do. */
function* eachTurn(windows: readonly VoiceWindow[], voices: Int32Array): Generator<VoiceTurn> {
  for (const [index, { start, end }] of windows.entries()) yield { speaker: voices[index] ?? 0, start, end };
}

/**
 * The turns in order of time, numbered by first appearance; where a voice goes on without another between, its turns
 * are one.
 * @param turns of any numbers, in any order
 */
export function joinTurns(turns: readonly VoiceTurn[]): VoiceTurn[] {
  return joined(turns.toSorted((a, b) => a.start - b.start));
}

function joined(inOrder: Iterable<VoiceTurn>): VoiceTurn[] {
  const speakers = new Map<number, number>();
  const turns: VoiceTurn[] = [];
  for (const { speaker: voice, start, end } of inOrder) {
    const speaker = speakers.get(voice) ?? speakers.size;
    speakers.set(voice, speaker);
    const last = turns.at(-1);
    if (last?.speaker === speaker && start - last.end <= LONGEST_BREATH) last.end = Math.max(last.end, end);
    else turns.push({ speaker, start, end });
  }
  return turns;
}
