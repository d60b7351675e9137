import { randomUUID } from 'node:crypto';
import type { ObjectStore } from '@app/storage';
import type { DataSource } from 'typeorm';
import {
  deleteAudioIntakes,
  incrementGeneration,
  readInstallationRow,
  recordStoreId,
} from './installation.repository.js';
import { withMarkerLock } from './marker-lock.js';
import { readMarker, type StoreMarker, writeMarker } from './store-marker.js';
import { StoreMismatchError } from './store-mismatch-error.js';

/**
 * The operator's word that this database and this store belong together from now on. Both get a new store id: copies of
 * either that still lie elsewhere match neither of them any more. No object and no job changes.
 */
export async function adoptStore(dataSource: DataSource, store: ObjectStore): Promise<StoreMarker> {
  await store.provision();
  return withMarkerLock(dataSource, async () => {
    const previous = await readMarker(store).catch(nullIfUnreadable);
    await deleteAudioIntakes(dataSource);
    const { installationId, generation } = await incrementGeneration(dataSource, previous?.generation);
    const marker = { installationId, storeId: randomUUID(), generation };
    await writeMarker(store, marker);
    await recordStoreId(dataSource, marker.storeId);
    return marker;
  });
}

/**
 * The operator's word that a restored database is the truth from now on, once it was compared with its store: both get
 * a generation above what either had. @throws StoreMismatchError when they do not belong together
 */
export async function acceptRestoredDatabase(
  dataSource: DataSource,
  store: ObjectStore,
): Promise<StoreMarker> {
  return withMarkerLock(dataSource, async () => {
    const marker = await readMarker(store);
    const { installationId, storeId } = await readInstallationRow(dataSource);
    if (marker === null || marker.installationId !== installationId || marker.storeId !== storeId)
      throw new StoreMismatchError(
        'other_store',
        'The database and the object store do not belong together: see `store show`.',
      );
    await deleteAudioIntakes(dataSource);
    const { generation } = await incrementGeneration(dataSource, marker.generation);
    const raised = { ...marker, generation };
    await writeMarker(store, raised);
    return raised;
  });
}

function nullIfUnreadable(error: unknown): null {
  if (error instanceof StoreMismatchError) return null;
  throw error;
}
