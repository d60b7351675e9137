import type { ObjectStore } from '@app/storage';
import type { DataSource } from 'typeorm';
import { parseJobIdFromKey } from '../stages/object-keys.js';
import {
  OBJECT_PREFIXES,
  type ObjectPrefix,
  classifyStoredObjects,
  isJobOrIntakeKnown,
} from './stored-object.repository.js';
import type { Orphan } from './orphan-observation.repository.js';

const BATCH = 500;

/** Objects and uploads without a row, of any age. */
export async function* streamOrphans(dataSource: DataSource, store: ObjectStore): AsyncGenerator<Orphan> {
  for (const prefix of OBJECT_PREFIXES) {
    for await (const keys of batchKeys(store.list(prefix)))
      yield* await filterOrphans(dataSource, prefix, keys);
    for await (const upload of store.listUploads(prefix))
      if (await isOrphanUpload(dataSource, upload)) yield { key: upload.key, uploadId: upload.uploadId };
  }
}

/** Its row may have been written meanwhile. */
export async function isStillOrphan(dataSource: DataSource, orphan: Orphan): Promise<boolean> {
  if (orphan.uploadId !== '') return isOrphanUpload(dataSource, orphan);
  const prefix = OBJECT_PREFIXES.find((each) => orphan.key.startsWith(each));
  if (prefix === undefined || parseJobIdFromKey(orphan.key) === null) return false;
  return (await classifyStoredObjects(dataSource, prefix, [orphan.key])).get(orphan.key) === 'orphan';
}

async function filterOrphans(
  dataSource: DataSource,
  prefix: ObjectPrefix,
  keys: string[],
): Promise<Orphan[]> {
  const verdicts = await classifyStoredObjects(dataSource, prefix, keys);
  return keys.filter((key) => verdicts.get(key) === 'orphan').map((key) => ({ key, uploadId: '' }));
}

async function* batchKeys(listing: AsyncIterable<{ key: string }>): AsyncGenerator<string[]> {
  let batch: string[] = [];
  for await (const { key } of listing) {
    if (parseJobIdFromKey(key) !== null) batch.push(key);
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  yield batch;
}

async function isOrphanUpload(dataSource: DataSource, { key }: Pick<Orphan, 'key'>): Promise<boolean> {
  const jobId = parseJobIdFromKey(key);
  return jobId !== null && !(await isJobOrIntakeKnown(dataSource, jobId));
}
