import { encodeWindows } from './acoustic-window.js';
import { extractAcousticWindows } from './extract-acoustic-windows.js';

/** Encoded speaker features of one chunk. */
export interface ChunkSpeakerFeatures {
  /** Start of the chunk, in seconds from the start of the file. */
  start: number;
  /** Result of `extractSpeakerFeatures` or of a `SpeakerFeatureExtractor`. */
  voices: string;
}

/** Describes voices by trained models. */
export interface SpeakerFeatureExtractor {
  /**
   * @param samples 16 kHz mono, a chunk of a file
   * @returns text for `diarize`
   * @throws AuxiliaryModelError; the reason of `signal` when it is aborted
   */
  describe(samples: Int16Array, signal: AbortSignal): Promise<string>;
}

/**
 * Describes the voices in the speech of a chunk, so that the speakers can be told later without its audio.
 *
 * Costs about 2 ms of processor time for a second of audio, in slices between which the event loop turns.
 * @param samples 16 kHz mono, below 20 minutes
 * @returns ASCII text for `diarize`, about 480 kB an hour of speech
 * @throws the reason of `signal` when it is aborted
 */
export async function extractSpeakerFeatures(samples: Int16Array, signal: AbortSignal): Promise<string> {
  return encodeWindows(await extractAcousticWindows(samples, signal));
}

/**
 * The chunks whose voices can be compared with each other: those described in the way that most of them are.
 * Processors with other models than their neighbours, or with none, describe in another way.
 */
export function selectComparableChunks<T extends ChunkSpeakerFeatures>(chunks: readonly T[]): T[] {
  const kinds = new Map<string, T[]>();
  for (const chunk of chunks) {
    const kind = featureVersion(chunk.voices);
    const same = kinds.get(kind) ?? [];
    same.push(chunk);
    kinds.set(kind, same);
  }
  return [...kinds.values()].reduce((most, each) => (each.length > most.length ? each : most), []);
}

/** The version of the description and, where a model made it, that model. */
function featureVersion(voices: string): string {
  return /^\w+:(?:[\w.-]*:)?/.exec(voices)?.[0] ?? '';
}
