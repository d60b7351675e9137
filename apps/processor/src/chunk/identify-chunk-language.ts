import { AuxiliaryModelError, type EngineResult, type LanguageIdentifier, readWav } from '@app/speech';
import { Logger } from '@nestjs/common';

const logger = new Logger('Language');

/**
 * Identifies the language of a chunk, a WAV file: as reported by the engine, else by a model if there is one.
 * @returns null if the language is unknown or there are no words
 * @throws the reason of `signal` when it is aborted
 */
export async function identifyChunkLanguage(
  transcription: EngineResult,
  path: string,
  identifier: LanguageIdentifier | null,
  signal: AbortSignal,
): Promise<string | null> {
  if (transcription.language !== null || transcription.words.length === 0 || !identifier)
    return transcription.language;
  try {
    return await identifier.identify(await readWav(path, signal), signal);
  } catch (error) {
    if (!(error instanceof AuxiliaryModelError)) throw error;
    logger.warn(`${error.message} The language of a chunk stays unknown: ${String(error.cause)}`);
    return null;
  }
}
