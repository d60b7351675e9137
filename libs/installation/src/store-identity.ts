import { randomUUID } from 'node:crypto';
import type { ObjectStore } from '@app/storage';
import type { DataSource } from 'typeorm';
import { compareIdentities, type StoreState } from './compare-identities.js';
import { type InstallationRow, readInstallationRow, recordStoreId } from './installation.repository.js';
import { sampleObjects } from './sample-objects.js';
import { withMarkerLock } from './marker-lock.js';
import { createMarker, readMarker, RESTORE_NOTE_KEY, type StoreMarker } from './store-marker.js';
import { createStoreMismatch } from './create-store-mismatch.js';

/** What both sides say, as they were read. */
export interface StoreIdentity {
  row: InstallationRow;
  marker: StoreMarker | null;
  state: StoreState;
}

/**
 * Reads both sides and changes nothing. The store is read first: a processor that raises the generation between the two
 * reads writes the database first, so the marker that was read is never ahead of the row.
 * @throws StoreMismatchError `unreadable_marker`; StoreUnavailableError
 */
export async function readStoreIdentity(dataSource: DataSource, store: ObjectStore): Promise<StoreIdentity> {
  const marker = await readMarker(store);
  const row = await readInstallationRow(dataSource);
  // A restore that has not finished left no marker; whatever the row says, it is the cause.
  const isRestoring = marker === null && (await store.head(RESTORE_NOTE_KEY)) !== null;
  return { row, marker, state: isRestoring ? 'restore_unfinished' : compareIdentities(row, marker) };
}

/**
 * Makes sure that database and store belong together. A database that never had a store claims this one where it is
 * empty, or where it holds objects of jobs that the database knows (it was filled before there were markers).
 * @throws StoreMismatchError where they do not; StoreUnavailableError while that cannot be told
 */
export async function claimOrVerifyStore(dataSource: DataSource, store: ObjectStore): Promise<StoreIdentity> {
  if ((await readInstallationRow(dataSource)).storeId === null) await claimStore(dataSource, store);
  return assertIdentitiesMatch(store, await readStoreIdentity(dataSource, store));
}

/** @throws StoreMismatchError unless the two agree */
export function assertIdentitiesMatch(store: ObjectStore, identity: StoreIdentity): StoreIdentity {
  const { state, row, marker } = identity;
  if (state === 'agreed') return identity;
  // A claim is made under a lock: it is finished, or was never begun.
  const reason = state === 'unclaimed' || state === 'claim_unfinished' ? 'unmarked_store' : state;
  throw createStoreMismatch(reason, { kind: store.kind, row, marker });
}

async function claimStore(dataSource: DataSource, store: ObjectStore): Promise<void> {
  // Before the lock is taken: what cannot be reached is not to be waited for under it.
  await store.provision();
  await withMarkerLock(dataSource, async () => {
    const { row, marker, state } = await readStoreIdentity(dataSource, store);
    if (state === 'claim_unfinished' && marker) await recordStoreId(dataSource, marker.storeId);
    if (state !== 'unclaimed') return;
    const { jobs, known } = await sampleObjects(dataSource, store);
    if (jobs > 0 && known === 0)
      throw createStoreMismatch('foreign_objects', { kind: store.kind, row, marker });
    const storeId = randomUUID();
    const { installationId, generation } = row;
    if (await createMarker(store, { installationId, storeId, generation }))
      await recordStoreId(dataSource, storeId);
  });
}
