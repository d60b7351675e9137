import { type FileHandle, open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { PassThrough } from 'node:stream';
import type { RestoredAudioEtagChange } from '@app/jobs';
import type { ObjectInfo, ObjectStore } from '@app/storage';
import { forEachConcurrently } from '@app/async';
import type { BackupFolder } from '../backup/backup-folder.js';
import { BackupDamagedError, createChecksumVerifyingStream } from '../backup/file-checksum.js';
import {
  type BackedUpObject,
  isEntryOfMissingObject,
  streamObjectListEntries,
} from '../backup/object-list.js';
import type { ProgressLog } from '../backup/progress-log.js';

const CONCURRENCY = 4;

export interface ObjectRestoreResult {
  /** Includes objects that an interrupted restore has stored. */
  count: number;
  bytes: number;
  /** Audio whose etag differs in this store. Etags of transcripts are not used. */
  audio: RestoredAudioEtagChange[];
}

/**
 * Stores each object completely or not at all; objects of an interrupted restore are kept.
 * @throws BackupDamagedError for a missing or changed file, which is not stored
 */
export async function restoreObjects(
  store: ObjectStore,
  folder: BackupFolder,
  progress: ProgressLog,
): Promise<ObjectRestoreResult> {
  const restored: ObjectRestoreResult = { count: 0, bytes: 0, audio: [] };
  await forEachConcurrently(streamObjectListEntries(folder), CONCURRENCY, async (object) => {
    if (isEntryOfMissingObject(object)) return;
    const existing = await store.head(object.key);
    const { etag } = existing?.size === object.size ? existing : await restoreObject(store, folder, object);
    restored.count += 1;
    restored.bytes += object.size;
    if (etag !== object.etag && !object.key.startsWith('transcripts/'))
      restored.audio.push({ key: object.key, etagBefore: object.etag, etag });
    progress.report(`${restored.count} objects, ${restored.bytes} bytes`);
  });
  return restored;
}

async function restoreObject(
  store: ObjectStore,
  folder: BackupFolder,
  object: BackedUpObject,
): Promise<ObjectInfo> {
  const body = new PassThrough();
  const name = `objects/${object.key}`;
  const file = await openBackupObject(folder.objectPath(object.key), name);
  const checked = createChecksumVerifyingStream(name, { bytes: object.size, sha256: object.sha256 });
  const reading = pipeline(file.createReadStream(), checked, body);
  const storing = store.put(object.key, body, object.content_type).catch((error: unknown) => {
    // The store may fail before it has read the body; the file would then stay open.
    body.destroy(error as Error);
    throw error;
  });
  await Promise.allSettled([reading, storing]);
  await reading;
  return storing;
}

async function openBackupObject(path: string, name: string): Promise<FileHandle> {
  return open(path).catch((error: unknown) => {
    throw (error as NodeJS.ErrnoException).code === 'ENOENT'
      ? new BackupDamagedError(name, 'missing')
      : error;
  });
}
