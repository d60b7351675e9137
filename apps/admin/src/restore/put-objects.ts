import { type FileHandle, open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { PassThrough } from 'node:stream';
import type { RestoredAudio } from '@app/jobs';
import type { ObjectInfo, ObjectStore } from '@app/storage';
import { atOnce } from '../backup/at-once.js';
import type { BackupFolder } from '../backup/backup-folder.js';
import { BackupDamaged, checking } from '../backup/hashed-file.js';
import { type BackedUpObject, isMissingObject, readObjectList } from '../backup/object-list.js';
import type { Progress } from '../backup/progress.js';

const AT_ONCE = 4;

export interface PutObjects {
  /** Put, or found there from a restore that was cut. */
  count: number;
  bytes: number;
  /** Those of which this store tells another etag; transcripts are left out, nobody asks for theirs. */
  audio: RestoredAudio[];
}

/**
 * Puts the objects of a backup into the store, each as a whole or not at all. What an earlier try put there is left as it is.
 * @throws BackupDamaged at a missing object, and at bytes that are not those that were backed up; they are not in the store then
 */
export async function putObjects(
  store: ObjectStore,
  folder: BackupFolder,
  progress: Progress,
): Promise<PutObjects> {
  const put: PutObjects = { count: 0, bytes: 0, audio: [] };
  await atOnce(readObjectList(folder), AT_ONCE, async (object) => {
    if (isMissingObject(object)) return;
    const there = await store.head(object.key);
    const { etag } = there?.size === object.size ? there : await putOne(store, folder, object);
    put.count += 1;
    put.bytes += object.size;
    if (etag !== object.etag && !object.key.startsWith('transcripts/'))
      put.audio.push({ key: object.key, etagBefore: object.etag, etag });
    progress.say(`${put.count} objects, ${put.bytes} bytes`);
  });
  return put;
}

async function putOne(store: ObjectStore, folder: BackupFolder, object: BackedUpObject): Promise<ObjectInfo> {
  const body = new PassThrough();
  const name = `objects/${object.key}`;
  const file = await openObject(folder.object(object.key), name);
  const checked = checking(name, { bytes: object.size, sha256: object.sha256 });
  const reading = pipeline(file.createReadStream(), checked, body);
  const [info] = await Promise.all([store.put(object.key, body, object.content_type), reading]);
  return info;
}

async function openObject(path: string, name: string): Promise<FileHandle> {
  return open(path).catch((error: unknown) => {
    throw (error as NodeJS.ErrnoException).code === 'ENOENT' ? new BackupDamaged(name, 'missing') : error;
  });
}
