import { ZephyrError } from './errors.js';
import { RandomAccessAudioPartReader, type AudioPartReader } from './uploads/audio-part-reader.js';
import { parseUploadState, type UploadStateStore } from './uploads/upload-state.js';

/** Opens a file. Node's modules are loaded here and when needed, so that the entry works where there are none. */
export async function openAudioFile(path: string | URL): Promise<AudioPartReader> {
  const { open } = await import('node:fs/promises');
  const file = await open(path, 'r');
  const stats = await file.stat();
  if (!stats.isFile()) {
    await file.close();
    throw new TypeError(`${String(path)} is not a regular file. Send its bytes as a stream.`);
  }
  const { size, mtimeMs } = stats;
  return new RandomAccessAudioPartReader({
    size,
    fingerprint: String(mtimeMs),
    read: async (start, end) => {
      const bytes = new Uint8Array(end - start);
      for (let length = 0; length < bytes.byteLength;) {
        const { bytesRead } = await file.read(bytes, length, bytes.byteLength - length, start + length);
        if (bytesRead === 0) throw new ZephyrError(`${String(path)} became shorter while it was read.`);
        length += bytesRead;
      }
      return bytes;
    },
    close: () => file.close(),
  });
}

/** Keeps the state of an upload in a file that only its owner may read. Each write replaces the file as a whole. */
export function uploadStateFile(path: string): UploadStateStore {
  return {
    load: async () => {
      const { readFile } = await import('node:fs/promises');
      const text = await readFile(path, 'utf8').catch((error: unknown) => {
        if ((error as { code?: unknown }).code === 'ENOENT') return '';
        throw error;
      });
      return parseUploadState(text);
    },
    save: async (state) => {
      const { rename, rm, writeFile } = await import('node:fs/promises');
      // Another program may write the same state.
      const temporary = `${path}.${crypto.randomUUID()}.new`;
      try {
        await writeFile(temporary, JSON.stringify(state), { mode: 0o600 });
        await rename(temporary, path);
      } catch (error) {
        await rm(temporary, { force: true });
        throw error;
      }
    },
    clear: async () => {
      const { rm } = await import('node:fs/promises');
      await rm(path, { force: true });
    },
  };
}
