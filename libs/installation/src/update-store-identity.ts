import { randomUUID } from 'node:crypto';
import type { ObjectStore } from '@app/storage';
import type { DataSource } from 'typeorm';
import {
  deleteAllAudioIntakes,
  incrementGeneration,
  getInstallationRow,
  recordStoreId,
} from './installation.repository.js';
import { assertStoreIdentitiesMatch, compareStoreIdentities } from './store-identity.js';
import { findStoreMarker, type StoreMarker, withMarkerLock, writeStoreMarker } from './store-marker.js';
import { StoreMismatchError } from './store-mismatch.js';

/**
 * Writes a new store id to both sides, so that other copies of either no longer match. Changes no object and
 * no job.
 */
export async function adoptStoreWithNewId(dataSource: DataSource, store: ObjectStore): Promise<StoreMarker> {
  await store.provision();
  return withMarkerLock(dataSource, async () => {
    const previous = await findStoreMarker(store).catch((error: unknown) => {
      if (error instanceof StoreMismatchError) return null;
      throw error;
    });
    await deleteAllAudioIntakes(dataSource);
    const { installationId, generation } = await incrementGeneration(dataSource, previous?.generation);
    const marker = { installationId, storeId: randomUUID(), generation };
    await writeStoreMarker(store, marker);
    await recordStoreId(dataSource, marker.storeId);
    return marker;
  });
}

/**
 * Raises the generation of both sides above either. @throws StoreMismatchError if they do not belong together
 */
export async function acceptRestoredDatabase(
  dataSource: DataSource,
  store: ObjectStore,
): Promise<StoreMarker> {
  return withMarkerLock(dataSource, async () => {
    const marker = await findStoreMarker(store);
    const { installationId, storeId } = await getInstallationRow(dataSource);
    if (marker === null || marker.installationId !== installationId || marker.storeId !== storeId)
      throw new StoreMismatchError(
        'other_store',
        'The database and the object store do not belong together: see `store show`.',
      );
    await deleteAllAudioIntakes(dataSource);
    const { generation } = await incrementGeneration(dataSource, marker.generation);
    const raised = { ...marker, generation };
    await writeStoreMarker(store, raised);
    return raised;
  });
}

/**
 * Raises the database first, so a marker ahead of its database shows a restore.
 * @throws StoreMismatchError; StoreUnavailableError, after which the next call updates the marker
 */
export async function incrementBothGenerations(
  dataSource: DataSource,
  store: ObjectStore,
): Promise<StoreMarker> {
  return withMarkerLock(dataSource, async () => {
    const { marker } = assertStoreIdentitiesMatch(store, await compareStoreIdentities(dataSource, store));
    const { installationId, generation } = await incrementGeneration(dataSource);
    const raised = { installationId, storeId: marker?.storeId ?? '', generation };
    await writeStoreMarker(store, raised);
    return raised;
  });
}
