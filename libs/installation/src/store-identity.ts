import { randomUUID } from 'node:crypto';
import { findExistingJobIds, OBJECT_PREFIXES, parseJobIdFromKey } from '@app/jobs';
import type { ObjectStore } from '@app/storage';
import type { DataSource } from 'typeorm';
import { type InstallationRow, getInstallationRow, recordStoreId } from './installation.repository.js';
import {
  writeMarkerIfAbsent,
  findStoreMarker,
  type StoreMarker,
  UNFINISHED_RESTORE_KEY,
  withMarkerLock,
} from './store-marker.js';
import { createStoreMismatchError, type StoreMismatchReason } from './store-mismatch.js';

/** Lists in the order of job ids, so that samples contain the oldest jobs. */
const OBJECTS_SAMPLED_PER_PREFIX = 500;

/**
 * - `agreed`: each names the other
 * - `unclaimed`: neither names another
 * - `claim_unfinished`: the store names this database, which has not recorded the store yet
 */
export type StoreIdentityState =
  | 'agreed'
  | 'unclaimed'
  | 'claim_unfinished'
  | Exclude<StoreMismatchReason, 'foreign_objects' | 'unreadable_marker'>;

export interface StoreIdentityComparison {
  row: InstallationRow;
  marker: StoreMarker | null;
  state: StoreIdentityState;
}

/**
 * Reads the store first: a processor writes a new generation to the database first, so the marker is never
 * ahead of the row. @throws StoreMismatchError `unreadable_marker`; StoreUnavailableError
 */
export async function compareStoreIdentities(
  dataSource: DataSource,
  store: ObjectStore,
): Promise<StoreIdentityComparison> {
  const marker = await findStoreMarker(store);
  const row = await getInstallationRow(dataSource);
  // An unfinished restore has no marker, and explains any content of the row.
  const isRestoring = marker === null && (await store.head(UNFINISHED_RESTORE_KEY)) !== null;
  return { row, marker, state: isRestoring ? 'restore_unfinished' : compareIdentities(row, marker) };
}

function compareIdentities(row: InstallationRow, marker: StoreMarker | null): StoreIdentityState {
  if (marker === null) return row.storeId === null ? 'unclaimed' : 'unmarked_store';
  if (marker.installationId !== row.installationId) return 'other_installation';
  if (row.storeId === null) return 'claim_unfinished';
  if (marker.storeId !== row.storeId) return 'other_store';
  return marker.generation > row.generation ? 'database_older' : 'agreed';
}

/**
 * A database without a store claims this one if it is empty, or contains objects of the database from before
 * there were markers. @throws StoreMismatchError; StoreUnavailableError
 */
export async function claimOrVerifyStore(
  dataSource: DataSource,
  store: ObjectStore,
): Promise<StoreIdentityComparison> {
  if ((await getInstallationRow(dataSource)).storeId === null) await claimStore(dataSource, store);
  return assertStoreIdentitiesMatch(store, await compareStoreIdentities(dataSource, store));
}

/** @throws StoreMismatchError */
export function assertStoreIdentitiesMatch(
  store: ObjectStore,
  identity: StoreIdentityComparison,
): StoreIdentityComparison {
  const { state, row, marker } = identity;
  if (state === 'agreed') return identity;
  // Claims run under a lock, so this one is finished or was never begun.
  const reason = state === 'unclaimed' || state === 'claim_unfinished' ? 'unmarked_store' : state;
  throw createStoreMismatchError(reason, { kind: store.kind, row, marker });
}

async function claimStore(dataSource: DataSource, store: ObjectStore): Promise<void> {
  // Before the lock, which must not be held while waiting for an unavailable store.
  await store.provision();
  await withMarkerLock(dataSource, async () => {
    const { row, marker, state } = await compareStoreIdentities(dataSource, store);
    if (state === 'claim_unfinished' && marker) await recordStoreId(dataSource, marker.storeId);
    if (state !== 'unclaimed') return;
    const jobIds = await sampleJobIds(store);
    if (jobIds.size > 0 && (await findExistingJobIds(dataSource, jobIds)).size === 0)
      throw createStoreMismatchError('foreign_objects', { kind: store.kind, row, marker });
    const storeId = randomUUID();
    const { installationId, generation } = row;
    if (await writeMarkerIfAbsent(store, { installationId, storeId, generation }))
      await recordStoreId(dataSource, storeId);
  });
}

async function sampleJobIds(store: ObjectStore): Promise<ReadonlySet<string>> {
  const jobIds = new Set<string>();
  for (const prefix of OBJECT_PREFIXES) {
    let sampled = 0;
    for await (const { key } of store.list(prefix)) {
      const jobId = parseJobIdFromKey(key);
      if (jobId !== null) jobIds.add(jobId);
      if (++sampled >= OBJECTS_SAMPLED_PER_PREFIX) break;
    }
  }
  return jobIds;
}
