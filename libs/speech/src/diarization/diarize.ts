import { CooperativeYield } from './cooperative-yield.js';
import type { ChunkSpeakerFeatures } from './speaker-features.js';
import { type LocalSpeaker, decodeSpeakers, isEncodedSpeakers } from './neural/speaker-embedding.js';
import { diarizeEmbeddings } from './neural/diarize-embeddings.js';
import { diarizeWindows } from './diarize-windows.js';
import type { SpeakerTurn } from './speaker-turns.js';
import { type AcousticWindow, decodeWindows } from './acoustic-window.js';

/**
 * @param chunks in order of time, not overlapping, comparable (`selectChunksOfMainFeatureVersion`)
 * @returns in order of time; empty without speech
 * @throws SpeakerFeaturesDecodeError; the reason of `signal` when it is aborted
 */
export async function diarizeFeatures(
  chunks: readonly ChunkSpeakerFeatures[],
  signal: AbortSignal,
): Promise<SpeakerTurn[]> {
  const yielder = new CooperativeYield(signal);
  return chunks.some(({ voices }) => isEncodedSpeakers(voices))
    ? diarizeByEmbeddings(chunks, yielder)
    : diarizeByWindows(chunks, yielder);
}

async function diarizeByWindows(
  chunks: readonly ChunkSpeakerFeatures[],
  yielder: CooperativeYield,
): Promise<SpeakerTurn[]> {
  const windows: AcousticWindow[] = [];
  for (const { start, voices } of chunks) {
    windows.push(...decodeWindows(voices, start));
    await yielder.yieldIfDue();
  }
  return diarizeWindows(windows, yielder);
}

async function diarizeByEmbeddings(
  chunks: readonly ChunkSpeakerFeatures[],
  yielder: CooperativeYield,
): Promise<SpeakerTurn[]> {
  const speakers: LocalSpeaker[] = [];
  let similarityThreshold = 1;
  for (const { start, voices } of chunks) {
    const decoded = decodeSpeakers(voices);
    ({ similarityThreshold } = decoded);
    for (const { embedding, turns } of decoded.speakers) {
      speakers.push({
        embedding,
        turns: turns.map((turn) => ({ start: start + turn.start, end: start + turn.end })),
      });
    }
    await yielder.yieldIfDue();
  }
  return diarizeEmbeddings(speakers, similarityThreshold, yielder);
}
