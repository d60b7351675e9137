import { createHash } from 'node:crypto';
import { link, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { DurableFile } from './durable-file.js';
import { errorCode } from './fs-errors.js';

export const DIRECTORY_MODE = 0o700;

export interface WrittenFile {
  path: string;
  /** Bytes. */
  size: number;
  /** Hex. */
  sha256: string;
}

/** A directory entry is on disk only once its directory is. */
export async function syncDirectory(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Makes the directory and its parents, each of them on disk before this resolves. */
export async function createDirectoryDurably(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true, mode: DIRECTORY_MODE });
  if (first === undefined) return;
  for (let made = path; made.length >= first.length; made = dirname(made)) await syncDirectory(dirname(made));
}

/**
 * Streams a body into a new file, hashing on the way; on disk before this resolves.
 * A body that ends in an error leaves no file.
 */
export async function writeFileDurably(path: string, body: AsyncIterable<Uint8Array>): Promise<WrittenFile> {
  const file = await DurableFile.create(path);
  try {
    const hash = createHash('sha256');
    let size = 0;
    for await (const chunk of body) {
      await file.write(chunk);
      // While it is written.
      hash.update(chunk);
      size += chunk.byteLength;
    }
    await file.syncAndClose();
    return { path, size, sha256: hash.digest('hex') };
  } catch (error) {
    await file.abort();
    await rm(path, { force: true });
    throw error;
  }
}

/** Replaces a small file as a whole: a reader sees the old text or the new one. */
export async function replaceFileAtomically(path: string, text: string, temporary: string): Promise<void> {
  await writeFileDurably(temporary, singleChunkStream(Buffer.from(text)));
  try {
    await renameDurably(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** Makes a small file as a whole. @returns false when there is one already, which stays as it is. */
export async function createFileIfAbsent(path: string, text: string, temporary: string): Promise<boolean> {
  await writeFileDurably(temporary, singleChunkStream(Buffer.from(text)));
  try {
    await link(temporary, path);
    await syncDirectory(dirname(path));
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(temporary, { force: true });
  }
}

/** Renames within one file system and puts the new name on disk. */
export async function renameDurably(from: string, to: string): Promise<void> {
  await rename(from, to);
  await syncDirectory(dirname(to));
}

export async function* singleChunkStream(chunk: Uint8Array): AsyncIterable<Uint8Array> {
  yield chunk;
}
