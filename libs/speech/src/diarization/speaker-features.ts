import { encodeAcousticWindowsAsText } from './acoustic-window.js';
import { extractAcousticWindows } from './extract-acoustic-windows.js';
import type { SpeakerCountLimits } from './speaker-count-limits.js';

export interface ChunkSpeakerFeatures {
  /** Start of the chunk, in seconds from the start of the file. */
  start: number;
  /** Result of `extractEncodedAcousticFeatures` or of a `SpeakerFeatureExtractor`. */
  speakerFeatures: string;
}

export interface SpeakerFeatureExtractor {
  /**
   * @param samples 16 kHz mono, a part of a file
   * @param limits of the number of speakers in the file; any number by default
   * @returns text for `diarizeFeatures`
   * @throws AuxiliaryModelError; the reason of `signal` when it is aborted
   */
  extract(samples: Int16Array, signal: AbortSignal, limits?: SpeakerCountLimits): Promise<string>;
}

/**
 * Extracts acoustic features from the speech of a chunk, so that the file can be diarized later without its audio.
 * Takes about 2 ms of CPU time per second of audio, and yields to the event loop every few milliseconds.
 * @param samples 16 kHz mono, below 20 minutes
 * @returns ASCII text for `diarizeFeatures`, about 480 kB per hour of speech
 * @throws the reason of `signal` when it is aborted
 */
export async function extractEncodedAcousticFeatures(
  samples: Int16Array,
  signal: AbortSignal,
): Promise<string> {
  return encodeAcousticWindowsAsText(await extractAcousticWindows(samples, signal));
}

/** Selects the chunks of the most frequent version: processors may have different models. */
export function selectChunksOfCommonestVersion<T extends ChunkSpeakerFeatures>(chunks: readonly T[]): T[] {
  const kinds = new Map<string, T[]>();
  for (const chunk of chunks) {
    const kind = featureVersion(chunk.speakerFeatures);
    const same = kinds.get(kind) ?? [];
    same.push(chunk);
    kinds.set(kind, same);
  }
  return [...kinds.values()].reduce((most, each) => (each.length > most.length ? each : most), []);
}

function featureVersion(speakerFeatures: string): string {
  return /^\w+:(?:[\w.-]*:)?/.exec(speakerFeatures)?.[0] ?? '';
}
