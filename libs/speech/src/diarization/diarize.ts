import { CooperativeYielder } from '@app/async';
import type { ChunkSpeakerFeatures } from './speaker-features.js';
import {
  type ChunkLocalSpeaker,
  decodeSpeakerEmbeddingsFromText,
  isEncodedSpeakerEmbeddings,
} from './neural/speaker-embedding.js';
import { diarizeEmbeddings } from './neural/diarize-embeddings.js';
import { diarizeWindows } from './diarize-windows.js';
import { ANY_NUMBER_OF_SPEAKERS, type SpeakerCountLimits } from './speaker-count-limits.js';
import type { SpeakerTurn } from './speaker-turns.js';
import { type AcousticWindow, decodeAcousticWindowsFromText } from './acoustic-window.js';

/**
 * @param chunks in order of time, not overlapping, comparable (`selectChunksOfCommonestVersion`)
 * @param limits of the number of speakers
 * @returns in order of time; empty without speech
 * @throws SpeakerFeaturesDecodeError; the reason of `signal` when it is aborted
 */
export async function diarizeFeatures(
  chunks: readonly ChunkSpeakerFeatures[],
  signal: AbortSignal,
  limits: SpeakerCountLimits = ANY_NUMBER_OF_SPEAKERS,
): Promise<SpeakerTurn[]> {
  const yielder = new CooperativeYielder(signal);
  return chunks.some(({ speakerFeatures }) => isEncodedSpeakerEmbeddings(speakerFeatures))
    ? diarizeByEmbeddings(chunks, limits, yielder)
    : diarizeByWindows(chunks, limits, yielder);
}

async function diarizeByWindows(
  chunks: readonly ChunkSpeakerFeatures[],
  limits: SpeakerCountLimits,
  yielder: CooperativeYielder,
): Promise<SpeakerTurn[]> {
  const windows: AcousticWindow[] = [];
  for (const { start, speakerFeatures } of chunks) {
    windows.push(...decodeAcousticWindowsFromText(speakerFeatures, start));
    await yielder.yieldIfDue();
  }
  return diarizeWindows(windows, yielder, limits);
}

async function diarizeByEmbeddings(
  chunks: readonly ChunkSpeakerFeatures[],
  limits: SpeakerCountLimits,
  yielder: CooperativeYielder,
): Promise<SpeakerTurn[]> {
  const speakers: ChunkLocalSpeaker[] = [];
  let similarityThreshold = 1;
  for (const { start, speakerFeatures } of chunks) {
    const decoded = decodeSpeakerEmbeddingsFromText(speakerFeatures);
    ({ similarityThreshold } = decoded);
    for (const { embedding, turns } of decoded.speakers) {
      speakers.push({
        embedding,
        turns: turns.map((turn) => ({ start: start + turn.start, end: start + turn.end })),
      });
    }
    await yielder.yieldIfDue();
  }
  return diarizeEmbeddings(speakers, similarityThreshold, yielder, limits);
}
