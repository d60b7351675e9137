import { buffer } from 'node:stream/consumers';
import { ObjectNotFoundError, type ObjectStore } from '@app/storage';
import { validate as isUuid } from 'uuid';
import { StoreMismatchError } from './store-mismatch-error.js';

/** Beside `audio/`, `work/` and `transcripts/`, so that no listing of these finds it. */
export const MARKER_KEY = 'zephyr-installation.json';

/** Lies in a store from the first object that a restore puts there until its marker is written. */
export const RESTORE_NOTE_KEY = 'zephyr-restore.json';

const CONTENT_TYPE = 'application/json';
const VERSION = 1;

/** What an object store says about whose it is. The row `installation` of the database says the same. */
export interface StoreMarker {
  installationId: string;
  storeId: string;
  /** Of the database, when the marker was last written. */
  generation: number;
}

/**
 * @returns null when the store has none
 * @throws StoreMismatchError when what lies there is no marker; StoreUnavailableError
 */
export async function readMarker(store: ObjectStore): Promise<StoreMarker | null> {
  try {
    return parseMarker(String(await buffer(await store.get(MARKER_KEY))));
  } catch (error) {
    if (error instanceof ObjectNotFoundError) return null;
    throw error;
  }
}

/** @returns false when the store has a marker already, which stays as it is. */
export function createMarker(store: ObjectStore, marker: StoreMarker): Promise<boolean> {
  return store.putIfAbsent(MARKER_KEY, formatMarker(marker), CONTENT_TYPE);
}

/** Replaces the marker, or makes it. To be called under the marker lock (`withMarkerLock`). */
export async function writeMarker(store: ObjectStore, marker: StoreMarker): Promise<void> {
  await store.put(MARKER_KEY, formatMarker(marker), CONTENT_TYPE);
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
      `The object ${MARKER_KEY} in the object store is no marker of an installation.`,
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
