import { rm } from 'node:fs/promises';
import { DeletionPause, DeletionsInProgressError, readSchemaState, DatabaseSnapshot } from '@app/database';
import { readStoreIdentity } from '@app/installation';
import { packageVersion } from '@app/runtime';
import type { ObjectStore } from '@app/storage';
import type { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { CommandError } from '../output.js';
import { assertStoreState } from '../store/assert-store-state.js';
import { BackupFolder } from './backup-folder.js';
import { toFullDiskError } from './backup-folder-error.js';
import { type BackupManifest, formatManifest } from './backup-manifest.js';
import { writeObjectLists, objectGroupListPath, readNeededObjects } from './needed-objects.js';
import type { ProgressLog } from './progress-log.js';
import { type BackupSecrets, writeBackupSecrets } from './backup-secrets.js';
import {
  readBackupInstallation,
  readMigrations,
  schemaVersionError,
  readEncryptionKeyIds,
  writeTables,
} from './write-tables.js';
import { type CopiedObjects, BackupObjectWriter } from './backup-object-writer.js';

/** Passes of deletions that are under way are waited for. */
const MAX_WAIT_SECONDS = 600;
/** Audio has to be deleted within half an hour of the end of its job. It bounds that, not the backup, which goes on. */
const MAX_AUDIO_PAUSE_MS = 20 * 60_000;

export interface BackupSources {
  dataSource: DataSource;
  databaseUrl: string;
  store: ObjectStore;
  /** Null to leave them out. */
  secrets: BackupSecrets | null;
  /** Milliseconds for which the audio of jobs that end is kept for the backup; twenty minutes when left out. */
  audioPauseMs?: number;
}

export interface BackupResult {
  manifest: BackupManifest | Omit<BackupManifest, 'format'>;
  /** The first keys that the rows need and the store did not have. */
  missingKeys: string[];
}

/**
 * Backs up one moment of the service while it runs. What the service deletes by itself is held back from before the
 * snapshot until its objects are copied; everything else goes on. The manifest is written last.
 * @throws CommandError
 */
export async function createBackup(
  sources: BackupSources,
  path: string,
  progress: ProgressLog,
): Promise<BackupResult> {
  await assertSingleInstallation(sources);
  const folder = await BackupFolder.create(path);
  progress.startStep('Holding deletions back ...');
  const pause = await DeletionPause.begin(sources.databaseUrl, {
    maxWaitSeconds: MAX_WAIT_SECONDS,
    onWait: () => progress.startStep('  Waiting for deletions that are under way ...'),
  }).catch(explainDeletionsUnderWay);
  const audioPause = setTimeout(() => {
    progress.startStep(
      '  Audio of jobs that end is deleted again, as it may be kept no longer. The backup goes on.',
    );
    void pause.release('audio').catch(() => undefined);
  }, sources.audioPauseMs ?? MAX_AUDIO_PAUSE_MS);
  try {
    const rows = await backUpRows(sources, folder, progress);
    const objects = await backUpObjects(sources.store, folder, pause, progress);
    const secrets = sources.secrets && (await writeBackupSecrets(folder, sources.secrets));
    const manifest = {
      service_version: packageVersion(),
      backup_id: uuidv7(),
      ...rows,
      store_kind: sources.store.kind,
      objects: objects.summary,
      secrets,
    };
    pause.connectionLost.throwIfAborted();
    await folder.writeManifest(formatManifest(manifest));
    return { manifest, missingKeys: objects.missingKeys };
  } catch (error) {
    throw pause.connectionLost.aborted ? pauseLostError() : toFullDiskError(path, error);
  } finally {
    clearTimeout(audioPause);
    await pause.close();
  }
}

/** A database that lags behind its store may be backed up as it is; one with another's store is a mistake. */
async function assertSingleInstallation({ dataSource, store }: BackupSources): Promise<void> {
  const { pending, unknown } = await readSchemaState(dataSource);
  if (pending.length > 0 || unknown.length > 0) throw schemaVersionError();
  const { state } = await readStoreIdentity(dataSource, store);
  assertStoreState(state, ['agreed', 'database_older', 'unclaimed', 'claim_unfinished']);
}

type RowsSummary = Pick<
  BackupManifest,
  'created_at' | 'migrations' | 'installation' | 'sealing_keys' | 'tables'
>;

async function backUpRows(
  { dataSource, databaseUrl }: BackupSources,
  folder: BackupFolder,
  progress: ProgressLog,
): Promise<RowsSummary> {
  const snapshot = await DatabaseSnapshot.open(databaseUrl);
  try {
    const migrations = await readMigrations(dataSource, snapshot);
    const installation = await readBackupInstallation(snapshot);
    progress.startStep('Copying the rows of the database ...');
    const tables = await writeTables(dataSource, snapshot, folder, progress);
    await writeObjectLists(snapshot, folder);
    return {
      created_at: snapshot.takenAt.toISOString(),
      migrations,
      installation,
      sealing_keys: await readEncryptionKeyIds(snapshot),
      tables,
    };
  } finally {
    await snapshot.close();
  }
}

async function backUpObjects(
  store: ObjectStore,
  folder: BackupFolder,
  pause: DeletionPause,
  progress: ProgressLog,
): Promise<{ summary: BackupManifest['objects']; missingKeys: string[] }> {
  const writer = await BackupObjectWriter.open(store, folder, progress);
  // Audio first: it is held back for a short time only.
  progress.startStep('Copying the audio of open jobs ...');
  await writer.copy(readNeededObjects(folder, 'open'), pause.connectionLost);
  await pause.release('audio');
  progress.startStep('Copying the transcripts ...');
  await writer.copy(readNeededObjects(folder, 'transcripts'), pause.connectionLost);
  const file = await writer.close();
  for (const group of ['open', 'transcripts'] as const) await rm(objectGroupListPath(folder, group));
  const copied: CopiedObjects = writer.copied;
  return { summary: { ...file, ...copied }, missingKeys: writer.missingKeys };
}

function explainDeletionsUnderWay(error: unknown): never {
  throw error instanceof DeletionsInProgressError
    ? new CommandError(`${error.message} Try again later.`)
    : error;
}

function pauseLostError(): CommandError {
  return new CommandError(
    'The database connection that pauses deletions was lost: the backup is not complete. Delete its folder and start again.',
  );
}
