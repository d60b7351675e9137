import type { ChunkSpeakerFeatures } from './chunk-speaker-features.js';

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
