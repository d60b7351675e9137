import { buffer } from 'node:stream/consumers';
import { withAdvisoryLock } from '@app/database';
import { ObjectNotFoundError, type ObjectStore } from '@app/storage';
import type { DataSource } from 'typeorm';
import { validate as isUuid } from 'uuid';
import { StoreMismatchError } from './store-mismatch.js';

/** Outside of `audio/`, `work/` and `transcripts/`, so that their listings do not contain it. */
export const STORE_MARKER_KEY = 'zephyr-installation.json';

/** Exists from the first restored object until the marker is written. */
export const UNFINISHED_RESTORE_KEY = 'zephyr-restore.json';

const CONTENT_TYPE = 'application/json';
const VERSION = 1;
const MARKER_LOCK_ID = 7_305_815;

/** Names the database of an object store, with the same values as the row `installation`. */
export interface StoreMarker {
  installationId: string;
  storeId: string;
  /** When the marker was written. */
  generation: number;
}

/** @throws StoreMismatchError `unreadable_marker`; StoreUnavailableError */
export async function findStoreMarker(store: ObjectStore): Promise<StoreMarker | null> {
  try {
    return parseMarker(String(await buffer(await store.get(STORE_MARKER_KEY))));
  } catch (error) {
    if (error instanceof ObjectNotFoundError) return null;
    throw error;
  }
}

/** @returns false, without a change, if the store has a marker */
export function writeMarkerIfAbsent(store: ObjectStore, marker: StoreMarker): Promise<boolean> {
  return store.putIfAbsent(STORE_MARKER_KEY, formatMarker(marker), CONTENT_TYPE);
}

/** Call it under `withMarkerLock`. */
export async function writeStoreMarker(store: ObjectStore, marker: StoreMarker): Promise<void> {
  await store.put(STORE_MARKER_KEY, formatMarker(marker), CONTENT_TYPE);
}

/** Serializes changes of the marker over all programs, so that generations reach the store in order. */
export function withMarkerLock<T>(dataSource: DataSource, work: () => Promise<T>): Promise<T> {
  return withAdvisoryLock(dataSource, MARKER_LOCK_ID, work);
}

function formatMarker({ installationId, storeId, generation }: StoreMarker): Buffer {
  const fields = { version: VERSION, installation_id: installationId, store_id: storeId, generation };
  return Buffer.from(`${JSON.stringify(fields, null, 2)}\n`);
}

function parseMarker(text: string): StoreMarker {
  const { version, installation_id, store_id, generation } = parseFields(text);
  const isMarker =
    version === VERSION && isUuid(installation_id) && isUuid(store_id) && Number.isSafeInteger(generation);
  if (!isMarker)
    throw new StoreMismatchError(
      'unreadable_marker',
      `The object ${STORE_MARKER_KEY} in the object store is no marker of an installation.`,
    );
  return {
    installationId: String(installation_id),
    storeId: String(store_id),
    generation: Number(generation),
  };
}

function parseFields(text: string): Partial<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}
