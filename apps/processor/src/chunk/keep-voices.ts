import { describeVoices, readWav } from '@app/speech';
import { Logger } from '@nestjs/common';

const logger = new Logger('Voices');

/**
 * What is kept of the voices in a chunk, a WAV file.
 * @returns null when that fails: a transcript without speakers is better than none
 * @throws the reason of `signal` when it is aborted
 */
export async function keepVoices(path: string, signal: AbortSignal): Promise<string | null> {
  try {
    return await describeVoices(await readWav(path, signal), signal);
  } catch (error) {
    signal.throwIfAborted();
    logger.warn(`The voices of a chunk could not be described: ${String(error)}`);
    return null;
  }
}
