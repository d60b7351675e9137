import { Breather } from './breather.js';
import { speakersOf } from './speakers-of.js';
import type { VoiceTurn } from './turns.js';
import type { VoiceWindow } from './voice-window.js';
import { decodeWindows } from './window-codec.js';

/** The voices of one chunk of a file. */
export interface ChunkVoices {
  /** Seconds on the file's clock. */
  start: number;
  /** What `describeVoices` made of it. */
  voices: string;
}

/**
 * Tells the speakers of a file apart, from what was kept of the voices in its chunks.
 *
 * Works in slices of a few milliseconds between which the event loop turns.
 * @param chunks in order of time, not overlapping
 * @returns turns in order of time; none where nobody speaks
 * @throws VoicesInvalid when a description cannot be read; the reason of `signal` when it is aborted
 */
export async function tellSpeakers(
  chunks: readonly ChunkVoices[],
  signal: AbortSignal,
): Promise<VoiceTurn[]> {
  const breather = new Breather(signal);
  const windows: VoiceWindow[] = [];
  for (const { start, voices } of chunks) {
    for (const window of decodeWindows(voices)) {
      windows.push({ ...window, start: start + window.start, end: start + window.end });
    }
    await breather.breathe();
  }
  return speakersOf(windows, breather);
}
