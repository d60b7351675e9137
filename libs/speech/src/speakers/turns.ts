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
  const speakers = new Map<number, number>();
  const turns: VoiceTurn[] = [];
  for (const [index, { start, end }] of windows.entries()) {
    const voice = voices[index] ?? 0;
    const speaker = speakers.get(voice) ?? speakers.size;
    speakers.set(voice, speaker);
    const last = turns.at(-1);
    if (last?.speaker === speaker && start - last.end <= LONGEST_BREATH) last.end = end;
    else turns.push({ speaker, start, end });
  }
  return turns;
}
