import { AuxiliaryModelError, type EngineResult, type LanguageIdentifier, readWav } from '@app/speech';
import { Logger } from '@nestjs/common';

const logger = new Logger('Language');

/**
 * The language of a chunk, a WAV file: the engine's own word, else that of a model where there is one.
 * @returns null when nobody knows, and where nothing was said
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
    return await identifier.languageOf(await readWav(path, signal), signal);
  } catch (error) {
    if (!(error instanceof AuxiliaryModelError)) throw error;
    logger.warn(`${error.message} The language of a chunk stays unknown: ${String(error.cause)}`);
    return null;
  }
}
