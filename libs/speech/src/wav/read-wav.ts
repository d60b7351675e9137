import { readFile } from 'node:fs/promises';
import { decodeWav } from './wav.js';

/** The samples of a 16 kHz mono WAV file. Throws `InvalidWavError` or the error of the file system. */
export async function readWav(path: string, signal: AbortSignal): Promise<Int16Array> {
  return decodeWav(await readFile(path, { signal }));
}
