import type { ObjectStore } from '@app/storage';
import type { InstallationRow } from './installation.repository.js';
import type { StoreMarker } from './store-marker.js';
import { type MismatchReason, StoreMismatchError } from './store-mismatch-error.js';

interface ComparedIdentities {
  kind: ObjectStore['kind'];
  row: InstallationRow;
  marker: StoreMarker | null;
}

/** What each mismatch is; one sentence for operators. */
export const MISMATCH_DESCRIPTIONS: Record<Exclude<MismatchReason, 'unreadable_marker'>, string> = {
  foreign_objects: 'The object store holds objects of jobs that this database does not know.',
  unmarked_store: 'This database belongs to another object store; this one has no marker.',
  other_store: 'This database belongs to another object store than this one.',
  other_installation: 'This object store belongs to another installation than this database.',
  restore_unfinished: 'A restore on this object store has not finished: the store holds a part of a backup.',
  database_older: 'The database is older than its object store: it was restored from a backup.',
};

/** One line: what is wrong, both sides, the settings to look at, and the command for the legitimate case. */
export function createStoreMismatch(
  reason: keyof typeof MISMATCH_DESCRIPTIONS,
  { kind, row, marker }: ComparedIdentities,
): StoreMismatchError {
  const ofDatabase = `database: installation ${row.installationId}, store ${row.storeId ?? 'none'}, generation ${row.generation}`;
  const ofStore = marker
    ? `store: installation ${marker.installationId}, store ${marker.storeId}, generation ${marker.generation}`
    : 'store: no marker';
  return new StoreMismatchError(
    reason,
    `${MISMATCH_DESCRIPTIONS[reason]} (${ofDatabase}; ${ofStore}) ${mismatchAdvice(reason, kind)}`,
  );
}

function mismatchAdvice(reason: MismatchReason, kind: ObjectStore['kind']): string {
  if (reason === 'database_older')
    return 'Compare the two with the operator command `store reconcile` before a processor runs.';
  if (reason === 'restore_unfinished')
    return 'Stop all programs; if no restore is running, run the operator command `restore DIR` of that backup again, into an empty database.';
  const settings = `DATABASE_URL and ${kind === 's3' ? 'S3_BUCKET, S3_ENDPOINT' : 'DATA_DIR (or S3_BUCKET, where the store is a bucket)'}`;
  return `Check ${settings}: every program of an installation needs the same. Only if the two do belong together, which a new or empty database never does: operator command \`store adopt --yes\`.`;
}
