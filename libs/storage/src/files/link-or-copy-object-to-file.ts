import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { link, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { temporarySiblingPath } from '../temporary-sibling-path.js';
import { FILE_MODE } from './durable-file-writer.js';
import { getErrorCode } from '../error-code.js';
import type { FetchToFileOptions } from '../object-store.js';
import type { ObjectRecord } from './object-record.js';
import { openObjectReadStream } from './read-pieces.js';

/** Limit of the bytes that are compared. More of them are read at once than by default, because each read occupies a thread. */
const MAX_COMPARED_BYTES_AT_ONCE = 1024 * 1024;

/** Another file system, no hard links, or too many of them: the bytes are copied instead. */
const LINK_UNSUPPORTED_CODES = new Set([
  'EXDEV',
  'EPERM',
  'EMLINK',
  'ENOTSUP',
  'EOPNOTSUPP',
  'ENOSYS',
  'EACCES',
]);

/**
 * Hard-links an object of one piece, else copies it. An existing file is replaced at once.
 * @returns false, without a file, if the object is not durable and a power failure has damaged it
 * @throws the reason of `signal` when it is aborted
 */
export async function linkOrCopyObjectToFile(
  path: string,
  directory: string,
  record: ObjectRecord,
  { signal, beforeCopy }: Pick<FetchToFileOptions, 'signal' | 'beforeCopy'>,
): Promise<boolean> {
  if (record.isDurable === false && !(await isUndamaged(directory, record))) return false;
  signal?.throwIfAborted();
  const linked = await linkSinglePiece(directory, record, path);
  if (linked === 'yes') return true;
  const temporary = temporarySiblingPath(path);
  try {
    if (linked === 'impossible' || (await linkSinglePiece(directory, record, temporary)) !== 'yes') {
      await beforeCopy?.();
      await copyPieces(directory, record, temporary, signal);
    }
    signal?.throwIfAborted();
    await rename(temporary, path);
    return true;
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    // Also after success: `rename` does nothing if both names are links of one file.
    await rm(temporary, { force: true });
  }
}

async function isUndamaged(directory: string, { data, etag, size }: ObjectRecord): Promise<boolean> {
  const hash = createHash('sha256');
  const highWaterMark = Math.min(size + 1, MAX_COMPARED_BYTES_AT_ONCE);
  await pipeline(createReadStream(join(directory, data), { highWaterMark }), hash);
  return hash.digest('hex') === etag;
}

async function linkSinglePiece(
  directory: string,
  { pieces }: ObjectRecord,
  to: string,
): Promise<'yes' | 'exists' | 'impossible'> {
  const [only, ...others] = pieces;
  if (only === undefined || others.length > 0) return 'impossible';
  try {
    await link(join(directory, only.file), to);
    return 'yes';
  } catch (error) {
    const code = getErrorCode(error) ?? '';
    if (code === 'EEXIST') return 'exists';
    if (LINK_UNSUPPORTED_CODES.has(code)) return 'impossible';
    throw error;
  }
}

async function copyPieces(
  directory: string,
  record: ObjectRecord,
  to: string,
  signal?: AbortSignal,
): Promise<void> {
  const file = createWriteStream(to, { flags: 'wx', mode: FILE_MODE });
  await pipeline(await openObjectReadStream(directory, record), file, { signal });
}
