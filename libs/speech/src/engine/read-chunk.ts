import { readWav } from '../wav/read-wav.js';
import { UnreadableChunkError } from './engine-errors.js';

/** The samples of a chunk. Throws `UnreadableChunkError`. */
export async function readChunk(path: string, signal: AbortSignal): Promise<Int16Array> {
  return readWav(path, signal).catch((error: unknown) => {
    throw new UnreadableChunkError({ cause: error });
  });
}
