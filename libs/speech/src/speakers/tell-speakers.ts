import { Breather } from './breather.js';
import type { ChunkVoices } from './chunk-voices.js';
import { decodePrints, isPrints } from './neural/print-codec.js';
import { type PlacedVoice, speakersByPrint } from './neural/speakers-by-print.js';
import { speakersOf } from './speakers-of.js';
import type { VoiceTurn } from './turns.js';
import type { VoiceWindow } from './voice-window.js';
import { decodeWindows } from './window-codec.js';

/**
 * Tells the speakers of a file apart, from what was kept of the voices in its chunks.
 *
 * Works in slices of a few milliseconds between which the event loop turns.
 * @param chunks in order of time, not overlapping, described in one way (`comparable`)
 * @returns turns in order of time; none where nobody speaks
 * @throws VoicesInvalid when a description cannot be read; the reason of `signal` when it is aborted
 */
export async function tellSpeakers(
  chunks: readonly ChunkVoices[],
  signal: AbortSignal,
): Promise<VoiceTurn[]> {
  const breather = new Breather(signal);
  return chunks.some(({ voices }) => isPrints(voices))
    ? tellByPrints(chunks, breather)
    : tellByWindows(chunks, breather);
}

async function tellByWindows(chunks: readonly ChunkVoices[], breather: Breather): Promise<VoiceTurn[]> {
  const windows: VoiceWindow[] = [];
  for (const { start, voices } of chunks) {
    windows.push(...decodeWindows(voices, start));
    await breather.breathe();
  }
  return speakersOf(windows, breather);
}

async function tellByPrints(chunks: readonly ChunkVoices[], breather: Breather): Promise<VoiceTurn[]> {
  const placed: PlacedVoice[] = [];
  let alike = 1;
  for (const { start, voices } of chunks) {
    const described = decodePrints(voices);
    ({ alike } = described);
    for (const { print, turns } of described.voices) {
      placed.push({
        print,
        turns: turns.map((turn) => ({ start: start + turn.start, end: start + turn.end })),
      });
    }
    await breather.breathe();
  }
  return speakersByPrint(placed, alike, breather);
}
