import { createHash } from 'node:crypto';
import { link, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { DurableFileWriter } from './durable-file-writer.js';
import { getErrorCode } from '../error-code.js';

export const DIRECTORY_MODE = 0o700;

export interface WrittenFile {
  path: string;
  size: number;
  /** Hex. */
  sha256: string;
}

/** A directory entry is on disk only after a sync of its directory. */
export async function fsyncDirectory(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Creates missing parents too. */
export async function createDirectoryDurably(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true, mode: DIRECTORY_MODE });
  if (first === undefined) return;
  for (let made = path; made.length >= first.length; made = dirname(made))
    await fsyncDirectory(dirname(made));
}

/**
 * Creates a directory below the root, and missing parents. A durable object needs all of them on disk, and others may have
 * created some without a sync, or not have synced them yet. Those directly below the root are always synced when they are
 * created, because all objects share them.
 *
 * @param isDurable false: a power failure may lose the directory with what is in it
 */
export async function createDirectoryBelowRoot(
  root: string,
  path: string,
  isDurable: boolean,
): Promise<void> {
  const first = await mkdir(path, { recursive: true, mode: DIRECTORY_MODE });
  const isTopNew = first !== undefined && dirname(first) === root;
  if (!isDurable && !isTopNew) return;
  for (let directory = path; directory !== root; directory = dirname(directory))
    if (isTopNew || dirname(directory) !== root) await fsyncDirectory(dirname(directory));
}

/** Hashes the body while writing it. A body that fails leaves no file. @param isDurable false: without a sync */
export async function writeAndHashNewFile(
  path: string,
  body: AsyncIterable<Uint8Array>,
  isDurable = true,
): Promise<WrittenFile> {
  const file = await DurableFileWriter.create(path);
  try {
    const hash = createHash('sha256');
    let size = 0;
    for await (const chunk of body) {
      await file.write(chunk);
      hash.update(chunk);
      size += chunk.byteLength;
    }
    await (isDurable ? file.syncAndClose() : file.closeWithoutSync());
    return { path, size, sha256: hash.digest('hex') };
  } catch (error) {
    await file.abort();
    await rm(path, { force: true });
    throw error;
  }
}

/** A reader sees the old text or the new one. @param isDurable false: a power failure may leave an empty file */
export async function replaceFileAtomically(
  path: string,
  text: string,
  temporary: string,
  isDurable = true,
): Promise<void> {
  await writeAndHashNewFile(temporary, singleChunkStream(Buffer.from(text)), isDurable);
  try {
    await (isDurable ? renameDurably(temporary, path) : rename(temporary, path));
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** @returns false, without a change, if the file exists */
export async function createFileIfAbsent(path: string, text: string, temporary: string): Promise<boolean> {
  await writeAndHashNewFile(temporary, singleChunkStream(Buffer.from(text)));
  try {
    await link(temporary, path);
    await fsyncDirectory(dirname(path));
    return true;
  } catch (error) {
    if (getErrorCode(error) === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(temporary, { force: true });
  }
}

/** Renames within one file system and syncs the directory. */
export async function renameDurably(from: string, to: string): Promise<void> {
  await rename(from, to);
  await fsyncDirectory(dirname(to));
}

export async function* singleChunkStream(chunk: Uint8Array): AsyncIterable<Uint8Array> {
  yield chunk;
}
