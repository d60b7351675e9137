import type { ObjectStore } from '@app/storage';
import type { DataSource } from 'typeorm';
import { assertIdentitiesMatch, readStoreIdentity } from './store-identity.js';
import { incrementGeneration } from './installation.repository.js';
import { withMarkerLock } from './marker-lock.js';
import { type StoreMarker, writeMarker } from './store-marker.js';

/**
 * Notes in both that the database has moved on, in the database first: a marker that is ahead of its database then says
 * that the database was restored from an older state.
 * @throws StoreMismatchError when they do not agree; StoreUnavailableError: the marker then follows at the next call
 */
export async function advanceGeneration(dataSource: DataSource, store: ObjectStore): Promise<StoreMarker> {
  return withMarkerLock(dataSource, async () => {
    const { marker } = assertIdentitiesMatch(store, await readStoreIdentity(dataSource, store));
    const { installationId, generation } = await incrementGeneration(dataSource);
    const raised = { installationId, storeId: marker?.storeId ?? '', generation };
    await writeMarker(store, raised);
    return raised;
  });
}
