import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { link, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { temporarySiblingPath } from '../temporary-sibling-path.js';
import { FILE_MODE } from './durable-file-writer.js';
import { errorCode } from './fs-errors.js';
import type { ObjectRecord } from './object-record.js';
import { openObjectReadStream } from './read-pieces.js';

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
 * Hard-links an object of one piece, else copies it.
 * @returns false, without a file, if the object is not durable and a power failure has damaged it
 * @throws the reason of `signal` when it is aborted
 */
export async function linkOrCopyObjectToFile(
  path: string,
  directory: string,
  record: ObjectRecord,
  signal?: AbortSignal,
): Promise<boolean> {
  if (record.isDurable === false && !(await isUndamaged(directory, record))) return false;
  const temporary = temporarySiblingPath(path);
  try {
    if (!(await linkSinglePiece(directory, record, temporary)))
      await copyPieces(directory, record, temporary, signal);
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

async function isUndamaged(directory: string, { data, etag }: ObjectRecord): Promise<boolean> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(join(directory, data)), hash);
  return hash.digest('hex') === etag;
}

/** @returns false if a link is not possible */
async function linkSinglePiece(directory: string, { pieces }: ObjectRecord, to: string): Promise<boolean> {
  const [only, ...others] = pieces;
  if (only === undefined || others.length > 0) return false;
  try {
    await link(join(directory, only.file), to);
    return true;
  } catch (error) {
    if (!LINK_UNSUPPORTED_CODES.has(errorCode(error) ?? '')) throw error;
    return false;
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
