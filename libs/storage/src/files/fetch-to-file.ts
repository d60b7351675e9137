import { constants, createWriteStream } from 'node:fs';
import { copyFile, link, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { neighbour } from '../neighbour.js';
import { FILE_MODE } from './durable-file.js';
import { errorCode } from './fs-errors.js';
import type { ObjectRecord } from './object-record.js';
import { openPieces } from './pieces.js';

/** Another file system, one without hard links, or one that counts them: then the bytes are copied. */
const NO_LINK = new Set(['EXDEV', 'EPERM', 'EMLINK', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EACCES']);

/** Brings a record's bytes to `path`: by hard link, by copy, or by joining its pieces. */
export async function bringTo(path: string, directory: string, record: ObjectRecord): Promise<void> {
  const near = neighbour(path);
  try {
    const [only, ...others] = record.pieces;
    if (only !== undefined && others.length === 0) await linkOrCopy(join(directory, only.file), near);
    else await joinPieces(directory, record, near);
    await rename(near, path);
  } finally {
    // Also after success: renaming one of two links of a file over the other does nothing at all.
    await rm(near, { force: true });
  }
}

async function linkOrCopy(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    if (!NO_LINK.has(errorCode(error) ?? '')) throw error;
    await copyFile(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  }
}

async function joinPieces(directory: string, record: ObjectRecord, to: string): Promise<void> {
  await pipeline(
    await openPieces(directory, record),
    createWriteStream(to, { flags: 'wx', mode: FILE_MODE }),
  );
}
