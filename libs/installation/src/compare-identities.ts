import type { InstallationRow } from './installation.repository.js';
import type { StoreMarker } from './store-marker.js';
import type { MismatchReason } from './store-mismatch-error.js';

/**
 * - `agreed`: each names the other
 * - `unclaimed`: neither names another
 * - `claim_unfinished`: the store names this database, which does not know of it yet
 */
export type StoreState =
  | 'agreed'
  | 'unclaimed'
  | 'claim_unfinished'
  | Exclude<MismatchReason, 'foreign_objects' | 'unreadable_marker'>;

/** What a database and a store, on which no restore has begun, say about each other. */
export function compareIdentities(row: InstallationRow, marker: StoreMarker | null): StoreState {
  if (marker === null) return row.storeId === null ? 'unclaimed' : 'unmarked_store';
  if (marker.installationId !== row.installationId) return 'other_installation';
  if (row.storeId === null) return 'claim_unfinished';
  if (marker.storeId !== row.storeId) return 'other_store';
  return marker.generation > row.generation ? 'database_older' : 'agreed';
}
