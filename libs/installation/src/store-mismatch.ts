import type { ObjectStore } from '@app/storage';
import type { InstallationRow } from './installation.repository.js';
import type { StoreMarker } from './store-marker.js';

export type StoreMismatchReason =
  | 'foreign_objects'
  | 'unmarked_store'
  | 'other_store'
  | 'other_installation'
  | 'database_older'
  | 'restore_unfinished'
  | 'unreadable_marker';

/** The message is one line for operators. */
export class StoreMismatchError extends Error {
  override readonly name = 'StoreMismatchError';
  constructor(
    readonly reason: StoreMismatchReason,
    message: string,
  ) {
    super(message);
  }
}

export const MISMATCH_DESCRIPTIONS: Record<Exclude<StoreMismatchReason, 'unreadable_marker'>, string> = {
  foreign_objects: 'The object store holds objects of jobs that this database does not know.',
  unmarked_store: 'This database belongs to another object store; this one has no marker.',
  other_store: 'This database belongs to another object store than this one.',
  other_installation: 'This object store belongs to another installation than this database.',
  restore_unfinished: 'A restore on this object store has not finished: the store holds a part of a backup.',
  database_older: 'The database is older than its object store: it was restored from a backup.',
};

/** The message contains the reason, the ids of both sides, and advice. */
export function createStoreMismatchError(
  reason: keyof typeof MISMATCH_DESCRIPTIONS,
  { kind, row, marker }: { kind: ObjectStore['kind']; row: InstallationRow; marker: StoreMarker | null },
): StoreMismatchError {
  const database = `database: installation ${row.installationId}, store ${row.storeId ?? 'none'}, generation ${row.generation}`;
  const store = marker
    ? `store: installation ${marker.installationId}, store ${marker.storeId}, generation ${marker.generation}`
    : 'store: no marker';
  return new StoreMismatchError(
    reason,
    `${MISMATCH_DESCRIPTIONS[reason]} (${database}; ${store}) ${mismatchAdvice(reason, kind)}`,
  );
}

function mismatchAdvice(reason: StoreMismatchReason, kind: ObjectStore['kind']): string {
  if (reason === 'database_older')
    return 'Compare the two with the operator command `store reconcile` before a processor runs.';
  if (reason === 'restore_unfinished')
    return 'Stop all programs; if no restore is running, run the operator command `restore DIR` of that backup again, into an empty database.';
  const settings = `DATABASE_URL and ${kind === 's3' ? 'S3_BUCKET, S3_ENDPOINT' : 'DATA_DIR (or S3_BUCKET, where the store is a bucket)'}`;
  return `Check ${settings}: every program of an installation needs the same. Only if the two do belong together, which a new or empty database never does: operator command \`store adopt --yes\`.`;
}
