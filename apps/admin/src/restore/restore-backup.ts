import { randomUUID } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { pauseRestoredCardRecharges } from '@app/billing';
import { assertRestorableDatabase, DatabaseNotRestorableError, restoreDump } from '@app/database';
import {
  getInstallationRow,
  findStoreMarker,
  UNFINISHED_RESTORE_KEY,
  writeStoreMarker,
} from '@app/installation';
import { OBJECT_PREFIXES, resumeRestoredJobs } from '@app/jobs';
import { ObjectNotFoundError, type ObjectStore } from '@app/storage';
import { holdAndResetRestoredWebhooks } from '@app/webhooks';
import type { DataSource, EntityManager } from 'typeorm';
import { z } from 'zod';
import type { BackupFolder } from '../backup/backup-folder.js';
import { findDamagedFilesExceptObjects } from '../backup/verify-backup.js';
import { type BackupManifest, countBackupRows } from '../backup/backup-manifest.js';
import type { ProgressLog } from '../backup/progress-log.js';
import { recordOperatorAction } from '../operator-audit.js';
import { CommandError } from '../output.js';
import {
  assignStoreAndRaiseGeneration,
  countOpenMultipartUploads,
  deleteRestoredSignIns,
  hasCommittedRestore,
  readSecondsSince,
} from './restore.repository.js';
import { type ObjectRestoreResult, restoreObjects } from './restore-objects.js';

/** Stored during a restore, so that it can continue after an interruption. */
const restoreNote = z.object({
  backup_id: z.uuid(),
  /** The store id that the restore will assign. */
  store_id: z.uuid(),
});

type RestoreNote = z.infer<typeof restoreNote>;

export interface RestoreTarget {
  databaseUrl: string;
  dataSource: DataSource;
  store: ObjectStore;
  /** Runs when the backup and the target have passed all checks, before anything is written to the target. */
  onAccepted?: () => Promise<void>;
}

export interface RestoreResult {
  objects: ObjectRestoreResult;
  /** Open stages that are due again. */
  stages: number;
  /** Pending webhook deliveries. */
  deliveries: number;
  /** Ended sessions of the console. */
  sessions: number;
  /** Their uploaded parts are in no backup. */
  openMultipartUploads: number;
}

/**
 * Restores objects first, then the rows in one transaction, and writes the marker of the store last, so that no program
 * runs on a partial restore. An interrupted restore continues on the same database and store.
 * @throws CommandError if the database or store is not empty, or the backup is damaged
 */
export async function restoreBackup(
  target: RestoreTarget,
  folder: BackupFolder,
  manifest: BackupManifest,
  progress: ProgressLog,
): Promise<RestoreResult> {
  progress.startStep('Checking the files of the database ...');
  const damaged = await findDamagedFilesExceptObjects(folder, manifest);
  if (damaged.length > 0)
    throw new CommandError(
      `The backup is damaged: ${formatDamagedFiles(folder, damaged)}. Restore another backup.`,
    );
  await target.store.provision();
  const note = await beginRestore(target, manifest);
  progress.startStep('Putting the objects into the store ...');
  const objects = await restoreObjects(target.store, folder, progress);
  let counted = { stages: 0, deliveries: 0, sessions: 0, openMultipartUploads: 0 };
  if (!(await hasCommittedRestore(target.dataSource, note.store_id))) {
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

function formatDamagedFiles(folder: BackupFolder, damaged: string[]): string {
  return damaged
    .map((name) => (existsSync(join(folder.path, name)) ? name : `${name} is missing`))
    .join(', ');
}

/**
 * Checks the target before it writes to it: the copy of the objects may take hours.
 * @returns the note of an interrupted restore of this backup, or a new one
 */
async function beginRestore(
  { store, dataSource, onAccepted }: RestoreTarget,
  { backup_id, migrations }: BackupManifest,
): Promise<RestoreNote> {
  const found = await readUnfinishedRestore(store);
  if (found !== null && found.backup_id !== backup_id)
    throw new CommandError(
      'A restore of another backup was cut on this object store. Empty the store, or use another one.',
    );
  if (found === null) await assertEmptyStore(store);
  if (found === null || !(await hasCommittedRestore(dataSource, found.store_id)))
    await assertRestorableDatabase(dataSource, migrations).catch(explainNotRestorable);
  await onAccepted?.();
  if (found !== null) return found;
  const note = { backup_id, store_id: randomUUID() };
  await store.put(UNFINISHED_RESTORE_KEY, Buffer.from(JSON.stringify(note)), 'application/json');
  return note;
}

/** @throws CommandError */
async function assertEmptyStore(store: ObjectStore): Promise<void> {
  for (const prefix of OBJECT_PREFIXES)
    for await (const { key } of store.list(prefix))
      throw new CommandError(
        `The object store is not empty: it contains ${key}. Give restore an empty bucket or DATA_DIR/objects.`,
      );
  if ((await findStoreMarker(store)) !== null)
    throw new CommandError(
      'The object store belongs to an installation already. Give restore an empty bucket or DATA_DIR/objects.',
    );
}

async function finishRestore(
  tx: EntityManager,
  manifest: BackupManifest,
  { store_id }: RestoreNote,
  { audio, count }: ObjectRestoreResult,
): Promise<Omit<RestoreResult, 'objects'>> {
  await assignStoreAndRaiseGeneration(tx, store_id);
  const stages = await resumeRestoredJobs(tx, await readSecondsSince(tx, manifest.created_at), audio);
  const deliveries = await holdAndResetRestoredWebhooks(tx);
  await pauseRestoredCardRecharges(tx);
  const sessions = await deleteRestoredSignIns(tx);
  await recordOperatorAction(tx, {
    accountId: null,
    action: 'backup.restored',
    target: manifest.backup_id,
    details: { created_at: manifest.created_at, rows: countBackupRows(manifest), objects: count },
  });
  return { stages, deliveries, sessions, openMultipartUploads: await countOpenMultipartUploads(tx) };
}

async function markStore({ store, dataSource }: RestoreTarget, note: RestoreNote): Promise<void> {
  const { installationId, generation } = await getInstallationRow(dataSource);
  await writeStoreMarker(store, { installationId, storeId: note.store_id, generation });
  await store.delete(UNFINISHED_RESTORE_KEY);
}

function explainNotRestorable(error: unknown): never {
  throw error instanceof DatabaseNotRestorableError ? new CommandError(error.message) : error;
}

/** @returns null if no unfinished restore exists */
async function readUnfinishedRestore(store: ObjectStore): Promise<RestoreNote | null> {
  try {
    return restoreNote.parse(JSON.parse(String(await buffer(await store.get(UNFINISHED_RESTORE_KEY)))));
  } catch (error) {
    if (error instanceof ObjectNotFoundError) return null;
    throw error;
  }
}
