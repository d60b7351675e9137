import { assertStoreIdentitiesMatch, compareStoreIdentities } from '@app/installation';
import {
  deleteOrphanObservations,
  streamOrphans,
  isStillOrphan,
  listObservedOrphans,
  type Orphan,
} from '@app/jobs';
import type { ObjectStore } from '@app/storage';
import type { DataSource } from 'typeorm';

export interface OrphanObjectOrUploadRow {
  key: string;
  /** Id of an open multipart upload; null for an object. */
  upload_id: string | null;
  /** Null until a processor has observed it. */
  first_seen_at: string | null;
}

/** Deletes those that are still orphans. @returns the number of deleted objects */
export async function recheckAndDeleteListedOrphans(
  dataSource: DataSource,
  store: ObjectStore,
  rows: OrphanObjectOrUploadRow[],
): Promise<number> {
  const deleted: Orphan[] = [];
  for (const { key, upload_id } of rows) {
    const orphan = { key, uploadId: upload_id ?? '' };
    if (!(await isStillOrphan(dataSource, orphan))) continue;
    await (upload_id === null ? store.delete(key) : store.abortMultipart(key, upload_id));
    deleted.push(orphan);
  }
  await deleteOrphanObservations(dataSource, deleted);
  return deleted.length;
}

/** @throws StoreMismatchError, because every object of another store would be an orphan */
export async function listOrphanObjectsAndUploads(
  dataSource: DataSource,
  store: ObjectStore,
): Promise<OrphanObjectOrUploadRow[]> {
  assertStoreIdentitiesMatch(store, await compareStoreIdentities(dataSource, store));
  const known = await listObservedOrphans(dataSource);
  const firstSeen = new Map(
    known.map(({ key, uploadId, firstSeenAt }) => [`${key} ${uploadId}`, firstSeenAt]),
  );
  const rows: OrphanObjectOrUploadRow[] = [];
  for await (const { key, uploadId } of streamOrphans(dataSource, store))
    rows.push({
      key,
      upload_id: uploadId === '' ? null : uploadId,
      first_seen_at: firstSeen.get(`${key} ${uploadId}`) ?? null,
    });
  return rows;
}
