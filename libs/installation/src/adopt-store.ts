import { randomUUID } from 'node:crypto';
import type { ObjectStore } from '@app/storage';
import type { DataSource } from 'typeorm';
import { forgetIntakes, raiseGeneration, readInstallation, recordStore } from './installation-row.js';
import { withMarkerLock } from './marker-lock.js';
import { readMarker, type StoreMarker, writeMarker } from './marker.js';
import { StoreMismatch } from './store-mismatch.js';

/**
 * The operator's word that this database and this store belong together from now on. Both get a new store id: copies of
 * either that still lie elsewhere match neither of them any more. No object and no job changes.
 */
export async function adoptStore(dataSource: DataSource, store: ObjectStore): Promise<StoreMarker> {
  await store.provision();
  return withMarkerLock(dataSource, async () => {
    const previous = await readMarker(store).catch(unlessUnreadable);
    await forgetIntakes(dataSource);
    const { installationId, generation } = await raiseGeneration(dataSource, previous?.generation);
    const marker = { installationId, storeId: randomUUID(), generation };
    await writeMarker(store, marker);
    await recordStore(dataSource, marker.storeId);
    return marker;
  });
}

/**
 * The operator's word that a restored database is the truth from now on, once it was compared with its store: both get
 * a generation above what either had. @throws StoreMismatch when they do not belong together
 */
export async function acceptRestoredDatabase(
  dataSource: DataSource,
  store: ObjectStore,
): Promise<StoreMarker> {
  return withMarkerLock(dataSource, async () => {
    const marker = await readMarker(store);
    const { installationId, storeId } = await readInstallation(dataSource);
    if (marker === null || marker.installationId !== installationId || marker.storeId !== storeId)
      throw new StoreMismatch(
        'other_store',
        'The database and the object store do not belong together: see `store show`.',
      );
    await forgetIntakes(dataSource);
    const { generation } = await raiseGeneration(dataSource, marker.generation);
    const raised = { ...marker, generation };
    await writeMarker(store, raised);
    return raised;
  });
}

function unlessUnreadable(error: unknown): null {
  if (error instanceof StoreMismatch) return null;
  throw error;
}
