import {
  AuxiliaryModelError,
  type ChunkTranscription,
  type EngineCapabilities,
  type LanguageIdentifier,
  readWav,
  extractEncodedAcousticFeatures,
  mapSpeakerFeaturesToUnpackedTime,
  type PackedAudioSpan,
  PackedAudioTimeMap,
  type SpeakerFeatureExtractor,
  type SpeakerCountLimits,
  supportsLanguage,
} from '@app/speech';
import { Logger } from '@nestjs/common';

const languageLogger = new Logger('Language');

/**
 * Prefers the engine's language to that of a model.
 * @param languages of the engine: what it recognised is in one of them
 * @returns null if the language is unknown or there are no words
 * @throws the reason of `signal` when it is aborted
 */
export async function identifyChunkLanguage(
  transcription: ChunkTranscription,
  path: string,
  identifier: LanguageIdentifier | null,
  languages: EngineCapabilities['languages'],
  signal: AbortSignal,
): Promise<string | null> {
  if (transcription.language !== null || transcription.words.length === 0 || !identifier)
    return transcription.language;
  try {
    const language = await identifier.identify(await readWav(path, signal), signal);
    return language === null || supportsLanguage(languages, language) ? language : null;
  } catch (error) {
    if (!(error instanceof AuxiliaryModelError)) throw error;
    languageLogger.warn(`${error.message} The language of a chunk stays unknown: ${String(error.cause)}`);
    return null;
  }
}

const voicesLogger = new Logger('Voices');

/**
 * Uses measured features without speaker models, or if these fail.
 * @param paths of WAV files whose audio follows each other
 * @param parts where the audio belongs; empty if it is the file from the start of the chunk
 * @returns null on failure: a transcript without speakers is better than none
 * @throws the reason of `signal` when it is aborted
 */
export async function extractChunkSpeakerFeatures(
  paths: readonly string[],
  extractor: SpeakerFeatureExtractor | null,
  limits: SpeakerCountLimits,
  signal: AbortSignal,
  parts: readonly PackedAudioSpan[] = [],
): Promise<string | null> {
  try {
    const samples = await readWavs(paths, signal);
    const byModel = extractor && (await extractByModel(extractor, samples, limits, signal));
    const described = byModel ?? (await extractEncodedAcousticFeatures(samples, signal));
    if (parts.length === 0) return described;
    return mapSpeakerFeaturesToUnpackedTime(described, new PackedAudioTimeMap(parts));
  } catch (error) {
    signal.throwIfAborted();
    voicesLogger.warn(`The voices of a chunk could not be described: ${String(error)}`);
    return null;
  }
}

async function readWavs(paths: readonly string[], signal: AbortSignal): Promise<Int16Array> {
  const pieces: Int16Array[] = [];
  for (const path of paths) pieces.push(await readWav(path, signal));
  const [first] = pieces;
  if (first && pieces.length === 1) return first;
  const samples = new Int16Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    samples.set(piece, at);
    at += piece.length;
  }
  return samples;
}

async function extractByModel(
  extractor: SpeakerFeatureExtractor,
  samples: Int16Array,
  limits: SpeakerCountLimits,
  signal: AbortSignal,
): Promise<string | null> {
  try {
    return await extractor.extract(samples, signal, limits);
  } catch (error) {
    if (!(error instanceof AuxiliaryModelError)) throw error;
    voicesLogger.warn(
      `${error.message} The voices of the chunk are described without the model: ${String(error.cause)}`,
    );
    return null;
  }
}
