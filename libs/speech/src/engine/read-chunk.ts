import { readWav } from '../wav/read-wav.js';
import { ChunkUnreadable } from './engine-errors.js';

/** The samples of a chunk. Throws `ChunkUnreadable`. */
export async function readChunk(path: string, signal: AbortSignal): Promise<Int16Array> {
  return readWav(path, signal).catch((error: unknown) => {
    throw new ChunkUnreadable({ cause: error });
  });
}
