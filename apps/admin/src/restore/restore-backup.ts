import { randomUUID } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseNotRestorableError, restoreDump, tableExists } from '@app/database';
import { readInstallationRow, readMarker, writeMarker } from '@app/installation';
import { OBJECT_PREFIXES, resumeRestoredJobs } from '@app/jobs';
import type { ObjectStore } from '@app/storage';
import { resetRestoredDeliveries } from '@app/webhooks';
import type { DataSource, EntityManager } from 'typeorm';
import type { BackupFolder } from '../backup/backup-folder.js';
import { findDamagedFiles } from '../backup/verify-backup.js';
import type { BackupManifest } from '../backup/backup-manifest.js';
import type { ProgressLog } from '../backup/progress-log.js';
import { CommandError } from '../output.js';
import { type RestoredObjects, restoreObjects } from './restore-objects.js';
import { readRestoreNote, removeRestoreNote, type RestoreNote, writeRestoreNote } from './restore-note.js';

export interface RestoreTarget {
  databaseUrl: string;
  /** Of the same database, as it is. */
  dataSource: DataSource;
  store: ObjectStore;
}

export interface RestoreResult {
  objects: RestoredObjects;
  /** Stages of open jobs that are due again. */
  stages: number;
  /** Notifications that are still to be sent. */
  deliveries: number;
  /** Uploads in parts that were under way: their bytes are in no backup. */
  openMultipartUploads: number;
}

/**
 * Brings an empty database and an empty store to the state of a backup. Objects come first and rows last, in one
 * transaction; the store is marked as this installation's at the very end, so that no program works on half of it. One that
 * was cut goes on where it was, on the same two.
 * @throws CommandError when one of them is not empty, or the backup is damaged
 */
export async function restoreBackup(
  target: RestoreTarget,
  folder: BackupFolder,
  manifest: BackupManifest,
  progress: ProgressLog,
): Promise<RestoreResult> {
  progress.startStep('Checking the files of the database ...');
  const damaged = await findDamagedFiles(folder, manifest);
  if (damaged.length > 0)
    throw new CommandError(
      `The backup is damaged: ${formatDamagedFiles(folder, damaged)}. Restore another backup.`,
    );
  await target.store.provision();
  const note = await beginRestore(target, manifest);
  progress.startStep('Putting the objects into the store ...');
  const objects = await restoreObjects(target.store, folder, progress);
  let counted = { stages: 0, deliveries: 0, openMultipartUploads: 0 };
  if (!(await hasRowsOfRestore(target.dataSource, note))) {
    progress.startStep('Putting the rows into the database ...');
    await restoreDump(target.databaseUrl, {
      migrations: manifest.migrations,
      tables: manifest.tables,
      readTable: (table) => createReadStream(folder.tablePath(table)),
      beforeCommit: async (tx) => void (counted = await finishRestore(tx, manifest, note, objects)),
    }).catch(explainNotRestorable);
  }
  await markStore(target, note);
  return { objects, ...counted };
}

/** Names of files, those that are missing told apart. */
function formatDamagedFiles(folder: BackupFolder, damaged: string[]): string {
  return damaged
    .map((name) => (existsSync(join(folder.path, name)) ? name : `${name} is missing`))
    .join(', ');
}

/** @returns the note of a restore of this backup that was cut, or a new one */
async function beginRestore(
  { store, dataSource }: RestoreTarget,
  { backup_id }: BackupManifest,
): Promise<RestoreNote> {
  const found = await readRestoreNote(store);
  if (found !== null && found.backup_id !== backup_id)
    throw new CommandError(
      'A restore of another backup was cut on this object store. Empty the store, or use another one.',
    );
  if (found !== null) return found;
  for (const prefix of OBJECT_PREFIXES)
    for await (const { key } of store.list(prefix))
      throw new CommandError(
        `The object store is not empty: it contains ${key}. Give restore an empty bucket or DATA_DIR/objects.`,
      );
  if ((await readMarker(store)) !== null)
    throw new CommandError(
      'The object store belongs to an installation already. Give restore an empty bucket or DATA_DIR/objects.',
    );
  if (await hasAccounts(dataSource))
    throw new CommandError(
      'The database is not empty. Give restore an empty one: see "Restore" in docs/operating/backup.md.',
    );
  const note = { backup_id, store_id: randomUUID() };
  await writeRestoreNote(store, note);
  return note;
}

async function hasAccounts(dataSource: DataSource): Promise<boolean> {
  if (!(await tableExists(dataSource, 'account'))) return false;
  return (await dataSource.query<unknown[]>('SELECT FROM account LIMIT 1')).length > 0;
}

/** Whether the rows were restored by the try that this note is of. */
async function hasRowsOfRestore(dataSource: DataSource, { store_id }: RestoreNote): Promise<boolean> {
  if (!(await tableExists(dataSource, 'installation'))) return false;
  const rows = await dataSource.query<{ store_id?: string }[]>('SELECT * FROM installation');
  return rows[0]?.store_id === store_id;
}

async function finishRestore(
  tx: EntityManager,
  manifest: BackupManifest,
  { store_id }: RestoreNote,
  { audio }: RestoredObjects,
): Promise<Omit<RestoreResult, 'objects'>> {
  // Above that of the backup: a copy of either that still lies somewhere matches neither any more.
  await tx.query('UPDATE installation SET store_id = $1, generation = generation + 1', [store_id]);
  const [clock]: { elapsed: number }[] = await tx.query(
    'SELECT extract(epoch FROM now() - $1::timestamptz)::float8 AS elapsed',
    [manifest.created_at],
  );
  const stages = await resumeRestoredJobs(tx, clock?.elapsed ?? 0, audio);
  const deliveries = await resetRestoredDeliveries(tx);
  const [uploads]: { open: number }[] = await tx.query(
    `SELECT count(*)::int AS open FROM job WHERE status = 'processing' AND queued_at IS NULL AND source = 'multipart'`,
  );
  return { stages, deliveries, openMultipartUploads: uploads?.open ?? 0 };
}

async function markStore({ store, dataSource }: RestoreTarget, note: RestoreNote): Promise<void> {
  const { installationId, generation } = await readInstallationRow(dataSource);
  await writeMarker(store, { installationId, storeId: note.store_id, generation });
  await removeRestoreNote(store);
}

function explainNotRestorable(error: unknown): never {
  throw error instanceof DatabaseNotRestorableError ? new CommandError(error.message) : error;
}
