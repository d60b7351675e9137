import { CooperativeYield } from './cooperative-yield.js';
import type { ChunkSpeakerFeatures } from './speaker-features.js';
import { decodeSpeakers, isEncodedSpeakers } from './neural/speaker-embedding.js';
import { type TimelineSpeaker, diarizeEmbeddings } from './neural/diarize-embeddings.js';
import { diarizeWindows } from './diarize-windows.js';
import type { SpeakerTurn } from './speaker-turns.js';
import { type AcousticWindow, decodeWindows } from './acoustic-window.js';

/**
 * Tells the speakers of a file apart, from what was kept of the voices in its chunks.
 *
 * Works in slices of a few milliseconds between which the event loop turns.
 * @param chunks in order of time, not overlapping, described in one way (`comparable`)
 * @returns turns in order of time; none where nobody speaks
 * @throws InvalidSpeakerFeaturesError when a description cannot be read; the reason of `signal` when it is aborted
 */
export async function diarize(
  chunks: readonly ChunkSpeakerFeatures[],
  signal: AbortSignal,
): Promise<SpeakerTurn[]> {
  const breather = new CooperativeYield(signal);
  return chunks.some(({ voices }) => isEncodedSpeakers(voices))
    ? diarizeByEmbeddings(chunks, breather)
    : diarizeByWindows(chunks, breather);
}

async function diarizeByWindows(
  chunks: readonly ChunkSpeakerFeatures[],
  breather: CooperativeYield,
): Promise<SpeakerTurn[]> {
  const windows: AcousticWindow[] = [];
  for (const { start, voices } of chunks) {
    windows.push(...decodeWindows(voices, start));
    await breather.yieldIfDue();
  }
  return diarizeWindows(windows, breather);
}

async function diarizeByEmbeddings(
  chunks: readonly ChunkSpeakerFeatures[],
  breather: CooperativeYield,
): Promise<SpeakerTurn[]> {
  const placed: TimelineSpeaker[] = [];
  let alike = 1;
  for (const { start, voices } of chunks) {
    const described = decodeSpeakers(voices);
    ({ similarityThreshold: alike } = described);
    for (const { print, turns } of described.speakers) {
      placed.push({
        print,
        turns: turns.map((turn) => ({ start: start + turn.start, end: start + turn.end })),
      });
    }
    await breather.yieldIfDue();
  }
  return diarizeEmbeddings(placed, alike, breather);
}
