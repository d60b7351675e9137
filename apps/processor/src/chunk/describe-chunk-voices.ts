import {
  AuxiliaryModelError,
  extractSpeakerFeatures,
  readWav,
  type SpeakerFeatureExtractor,
} from '@app/speech';
import { Logger } from '@nestjs/common';

const logger = new Logger('Voices');

/**
 * Describes the voices in a chunk, a WAV file.
 * @param describer speaker models, if there are any; if they fail, measured features are used
 * @returns null if that fails: a transcript without speakers is better than none
 * @throws the reason of `signal` when it is aborted
 */
export async function describeChunkVoices(
  path: string,
  describer: SpeakerFeatureExtractor | null,
  signal: AbortSignal,
): Promise<string | null> {
  try {
    const samples = await readWav(path, signal);
    const described = describer && (await describeByModel(describer, samples, signal));
    return described ?? (await extractSpeakerFeatures(samples, signal));
  } catch (error) {
    signal.throwIfAborted();
    logger.warn(`The voices of a chunk could not be described: ${String(error)}`);
    return null;
  }
}

async function describeByModel(
  describer: SpeakerFeatureExtractor,
  samples: Int16Array,
  signal: AbortSignal,
): Promise<string | null> {
  try {
    return await describer.extract(samples, signal);
  } catch (error) {
    if (!(error instanceof AuxiliaryModelError)) throw error;
    logger.warn(
      `${error.message} The voices of the chunk are described without the model: ${String(error.cause)}`,
    );
    return null;
  }
}
