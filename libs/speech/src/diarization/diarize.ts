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
import {
  type AcousticWindow,
  decodeAcousticWindowsFromText,
  SpeakerFeaturesDecodeError,
} from './acoustic-window.js';

/** Called for a chunk whose features are damaged; the others are used. */
type DamagedChunkHandler = (chunk: ChunkSpeakerFeatures) => void;

/**
 * @param chunks in order of time, not overlapping, comparable (`selectChunksOfCommonestVersion`)
 * @param limits of the number of speakers
 * @returns in order of time; empty without speech
 * @throws SpeakerFeaturesDecodeError without `onDamaged`; the reason of `signal` when it is aborted
 */
export async function diarizeFeatures(
  chunks: readonly ChunkSpeakerFeatures[],
  signal: AbortSignal,
  limits: SpeakerCountLimits = ANY_NUMBER_OF_SPEAKERS,
  onDamaged?: DamagedChunkHandler,
): Promise<SpeakerTurn[]> {
  const yielder = new CooperativeYielder(signal);
  return chunks.some(({ speakerFeatures }) => isEncodedSpeakerEmbeddings(speakerFeatures))
    ? diarizeByEmbeddings(chunks, limits, yielder, onDamaged)
    : diarizeByWindows(chunks, limits, yielder, onDamaged);
}

/** @returns undefined if the chunk is damaged and there is a handler for that */
function decodeChunk<T>(
  chunk: ChunkSpeakerFeatures,
  decode: (text: string) => T,
  onDamaged: DamagedChunkHandler | undefined,
): T | undefined {
  try {
    return decode(chunk.speakerFeatures);
  } catch (error) {
    if (!onDamaged || !(error instanceof SpeakerFeaturesDecodeError)) throw error;
    onDamaged(chunk);
    return undefined;
  }
}

async function diarizeByWindows(
  chunks: readonly ChunkSpeakerFeatures[],
  limits: SpeakerCountLimits,
  yielder: CooperativeYielder,
  onDamaged: DamagedChunkHandler | undefined,
): Promise<SpeakerTurn[]> {
  const windows: AcousticWindow[] = [];
  for (const chunk of chunks) {
    const decode = (text: string) => decodeAcousticWindowsFromText(text, chunk.start);
    windows.push(...(decodeChunk(chunk, decode, onDamaged) ?? []));
    await yielder.yieldIfDue();
  }
  return diarizeWindows(windows, yielder, limits);
}

async function diarizeByEmbeddings(
  chunks: readonly ChunkSpeakerFeatures[],
  limits: SpeakerCountLimits,
  yielder: CooperativeYielder,
  onDamaged: DamagedChunkHandler | undefined,
): Promise<SpeakerTurn[]> {
  const speakers: ChunkLocalSpeaker[] = [];
  let similarityThreshold = 1;
  for (const chunk of chunks) {
    const { start } = chunk;
    const decoded = decodeChunk(chunk, decodeSpeakerEmbeddingsFromText, onDamaged);
    if (!decoded) continue;
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
