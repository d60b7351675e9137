import { rm } from 'node:fs/promises';
import { DeletionPause, DeletionsInProgressError, readSchemaState, DatabaseSnapshot } from '@app/database';
import { readIdentity } from '@app/installation';
import { packageVersion } from '@app/runtime';
import type { ObjectStore } from '@app/storage';
import type { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { CommandRefused } from '../output.js';
import { assertState } from '../store/assert-state.js';
import { BackupFolder } from './backup-folder.js';
import { fullDiskError } from './folder-error.js';
import { type Manifest, manifestText } from './manifest.js';
import { listNeeded, objectListPath, neededObjects } from './needed-objects.js';
import type { Progress } from './progress.js';
import { type Secrets, writeSecrets } from './secrets-file.js';
import {
  installationOf,
  migrationsOf,
  otherSchemaRefusal,
  encryptionKeyIdsOf,
  writeTables,
} from './write-database.js';
import { type CopiedObjects, ObjectWriter } from './write-objects.js';

/** Passes of deletions that are under way are waited for. */
const WAIT_SECONDS = 600;
/** Audio has to be deleted within half an hour of the end of its job. It bounds that, not the backup, which goes on. */
const AUDIO_PAUSE_MS = 20 * 60_000;

export interface BackupSources {
  dataSource: DataSource;
  databaseUrl: string;
  store: ObjectStore;
  /** Null to leave them out. */
  secrets: Secrets | null;
  /** Milliseconds for which the audio of jobs that end is kept for the backup; twenty minutes when left out. */
  audioPauseMs?: number;
}

export interface BackupReport {
  manifest: Manifest | Omit<Manifest, 'format'>;
  /** The first keys that the rows need and the store did not have. */
  missingKeys: string[];
}

/**
 * Backs up one moment of the service while it runs. What the service deletes by itself is held back from before the
 * snapshot until its objects are copied; everything else goes on. The manifest is written last.
 * @throws CommandRefused
 */
export async function takeBackup(
  sources: BackupSources,
  path: string,
  progress: Progress,
): Promise<BackupReport> {
  await assertOneInstallation(sources);
  const folder = await BackupFolder.create(path);
  progress.step('Holding deletions back ...');
  const pause = await DeletionPause.begin(sources.databaseUrl, {
    maxWaitSeconds: WAIT_SECONDS,
    onWait: () => progress.step('  Waiting for deletions that are under way ...'),
  }).catch(refuseIfUnderWay);
  const audioPause = setTimeout(() => {
    progress.step(
      '  Audio of jobs that end is deleted again, as it may be kept no longer. The backup goes on.',
    );
    void pause.release('audio').catch(() => undefined);
  }, sources.audioPauseMs ?? AUDIO_PAUSE_MS);
  try {
    const rows = await backUpRows(sources, folder, progress);
    const objects = await backUpObjects(sources.store, folder, pause, progress);
    const secrets = sources.secrets && (await writeSecrets(folder, sources.secrets));
    const manifest = {
      service_version: packageVersion(),
      backup_id: uuidv7(),
      ...rows,
      store_kind: sources.store.kind,
      objects: objects.summary,
      secrets,
    };
    pause.connectionLost.throwIfAborted();
    await folder.seal(manifestText(manifest));
    return { manifest, missingKeys: objects.missingKeys };
  } catch (error) {
    throw pause.connectionLost.aborted ? lostPause() : fullDiskError(path, error);
  } finally {
    clearTimeout(audioPause);
    await pause.close();
  }
}

/** A database that lags behind its store may be backed up as it is; one with another's store is a mistake. */
async function assertOneInstallation({ dataSource, store }: BackupSources): Promise<void> {
  const { pending, unknown } = await readSchemaState(dataSource);
  if (pending.length > 0 || unknown.length > 0) throw otherSchemaRefusal();
  const { state } = await readIdentity(dataSource, store);
  assertState(state, ['agreed', 'database_older', 'unclaimed', 'claim_unfinished']);
}

type Rows = Pick<Manifest, 'created_at' | 'migrations' | 'installation' | 'sealing_keys' | 'tables'>;

async function backUpRows(
  { dataSource, databaseUrl }: BackupSources,
  folder: BackupFolder,
  progress: Progress,
): Promise<Rows> {
  const snapshot = await DatabaseSnapshot.open(databaseUrl);
  try {
    const migrations = await migrationsOf(dataSource, snapshot);
    const installation = await installationOf(snapshot);
    progress.step('Copying the rows of the database ...');
    const tables = await writeTables(dataSource, snapshot, folder, progress);
    await listNeeded(snapshot, folder);
    return {
      created_at: snapshot.takenAt.toISOString(),
      migrations,
      installation,
      sealing_keys: await encryptionKeyIdsOf(snapshot),
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
  progress: Progress,
): Promise<{ summary: Manifest['objects']; missingKeys: string[] }> {
  const writer = await ObjectWriter.open(store, folder, progress);
  // Audio first: it is held back for a short time only.
  progress.step('Copying the audio of open jobs ...');
  await writer.copy(neededObjects(folder, 'open'), pause.connectionLost);
  await pause.release('audio');
  progress.step('Copying the transcripts ...');
  await writer.copy(neededObjects(folder, 'transcripts'), pause.connectionLost);
  const file = await writer.close();
  for (const group of ['open', 'transcripts'] as const) await rm(objectListPath(folder, group));
  const copied: CopiedObjects = writer.copied;
  return { summary: { ...file, ...copied }, missingKeys: writer.missingKeys };
}

function refuseIfUnderWay(error: unknown): never {
  throw error instanceof DeletionsInProgressError
    ? new CommandRefused(`${error.message} Try again later.`)
    : error;
}

function lostPause(): CommandRefused {
  return new CommandRefused(
    'The database connection that pauses deletions was lost: the backup is not complete. Delete its folder and start again.',
  );
}
