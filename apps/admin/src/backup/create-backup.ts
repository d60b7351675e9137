import { rm } from 'node:fs/promises';
import {
  DatabaseSnapshot,
  DeletionPause,
  DeletionsInProgressError,
  type Encryptor,
  listTableNamesToDump,
  readPendingAndUnknownMigrations,
} from '@app/database';
import { compareStoreIdentities } from '@app/installation';
import { readPackageVersion } from '@app/runtime';
import { isDiskFullError, type ObjectStore } from '@app/storage';
import type { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { CommandError } from '../output.js';
import { assertStoreIdentityState } from '../store/store-identity-report.js';
import { BackupDiskGuard, type ServiceDiskReserve } from './backup-disk-guard.js';
import { BackupFolder, toCommandErrorIfDiskFull } from './backup-folder.js';
import { type BackupManifest, serializeBackupManifest } from './backup-manifest.js';
import { writeFileReturningChecksum } from './file-checksum.js';
import {
  buildNeededObjectListPath,
  streamNeededKeysWithRequiredFlag,
  writeNeededObjectLists,
} from './object-list.js';
import type { ProgressLog } from './progress-log.js';
import { type BackupSecrets, writeBackupSecrets } from './backup-secrets.js';
import { readUsedEncryptionKeyIds, getInstallation, listAppliedMigrationNames } from './backup.repository.js';
import { BackupObjectCopier } from './backup-object-copier.js';

/** Bounds the wait for running deletions. */
const MAX_WAIT_SECONDS = 600;
/** Audio must be deleted within half an hour of the end of its job; the backup continues after this pause. */
const MAX_AUDIO_PAUSE_MS = 20 * 60_000;

export interface BackupSources {
  dataSource: DataSource;
  databaseUrl: string;
  store: ObjectStore;
  /** Null for a backup without secrets. */
  secrets: BackupSecrets | null;
  /** With the keys of this command. */
  encryptor: Pick<Encryptor, 'hasKey'>;
  /** Its disk is not filled. Without it the service has its files elsewhere. */
  serviceDisk?: ServiceDiskReserve;
  /** How long audio of ended jobs is not deleted; default 20 minutes. */
  audioPauseMs?: number;
}

export interface BackupManifestAndMissingObjectKeys {
  manifest: BackupManifest | Omit<BackupManifest, 'format'>;
  /** The first 20 keys that the rows need and the store lacks. */
  missingKeys: string[];
}

/**
 * Backs up one moment of the running service. The service deletes nothing from before the snapshot until its objects
 * are copied. The manifest is written last.
 * @throws CommandError
 */
export async function createBackup(
  sources: BackupSources,
  path: string,
  progress: ProgressLog,
): Promise<BackupManifestAndMissingObjectKeys> {
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
    const target = { folder, disk: await BackupDiskGuard.open(path, sources.serviceDisk) };
    const rows = await backUpRows(sources, target, progress);
    const objects = await backUpObjects(sources.store, target, pause, progress);
    const secrets = sources.secrets && (await writeBackupSecrets(folder, sources.secrets));
    const manifest = {
      service_version: readPackageVersion(),
      backup_id: uuidv7(),
      ...rows,
      store_kind: sources.store.kind,
      objects: objects.summary,
      secrets,
    };
    pause.connectionLost.throwIfAborted();
    await folder.writeManifest(serializeBackupManifest(manifest));
    return { manifest, missingKeys: objects.missingKeys };
  } catch (error) {
    // Otherwise the disk would stay full, and the database with it.
    if (isDiskFullError(error)) await folder.discard();
    throw pause.connectionLost.aborted ? pauseLostError() : toCommandErrorIfDiskFull(path, error);
  } finally {
    clearTimeout(audioPause);
    await pause.close();
  }
}

/** A database that was restored from an older state may be backed up; the store of another installation may not. */
async function assertSingleInstallation({ dataSource, store }: BackupSources): Promise<void> {
  const { pending, unknown } = await readPendingAndUnknownMigrations(dataSource);
  if (pending.length > 0 || unknown.length > 0) throw createSchemaVersionError();
  const { state } = await compareStoreIdentities(dataSource, store);
  assertStoreIdentityState(state, ['agreed', 'database_older', 'unclaimed', 'claim_unfinished']);
}

/** Even if the secrets are left out: who gives this command fewer keys than the service has would store too few. @throws CommandError */
function assertHasKeys(encryptor: Pick<Encryptor, 'hasKey'>, usedKeyIds: readonly string[]): void {
  const missing = usedKeyIds.filter((id) => !encryptor.hasKey(id));
  if (missing.length === 0) return;
  throw new CommandError(
    `ENCRYPTION_KEYS lacks ${missing.length} of the keys that encrypt rows (${missing.join(', ')}), and without them the backup cannot be restored: run the command with the settings of the service. \`doctor\` names the tables.`,
  );
}

interface BackupTarget {
  folder: BackupFolder;
  disk: BackupDiskGuard;
}

type RowsSummary = Pick<
  BackupManifest,
  'created_at' | 'migrations' | 'installation' | 'sealing_keys' | 'tables'
>;

async function backUpRows(
  { dataSource, databaseUrl, encryptor }: BackupSources,
  { folder, disk }: BackupTarget,
  progress: ProgressLog,
): Promise<RowsSummary> {
  const snapshot = await DatabaseSnapshot.open(databaseUrl);
  try {
    const migrations = await listAppliedMigrationNames(snapshot);
    assertKnownMigrations(dataSource, migrations);
    const installation = await getInstallation(snapshot);
    const sealing_keys = await readUsedEncryptionKeyIds(snapshot);
    assertHasKeys(encryptor, sealing_keys);
    progress.startStep('Copying the rows of the database ...');
    const tables = await writeTables(dataSource, snapshot, { folder, disk }, progress);
    await writeNeededObjectLists(snapshot, folder);
    return {
      created_at: snapshot.takenAt.toISOString(),
      migrations,
      installation,
      sealing_keys,
      tables,
    };
  } finally {
    await snapshot.close();
  }
}

async function writeTables(
  dataSource: DataSource,
  snapshot: DatabaseSnapshot,
  { folder, disk }: BackupTarget,
  progress: ProgressLog,
): Promise<BackupManifest['tables']> {
  const tables: BackupManifest['tables'] = [];
  for (const name of listTableNamesToDump(dataSource)) {
    progress.report(name);
    const columns = await snapshot.listColumns(name);
    const rows = snapshot.copyTable(name, columns);
    const file = await writeFileReturningChecksum(folder.tablePath(name), disk.guard(rows));
    tables.push({ name, columns, rows: rows.rowCount, ...file });
  }
  return tables;
}

/** @throws CommandError if the schema is of another version */
function assertKnownMigrations(dataSource: DataSource, applied: readonly string[]): void {
  const known = dataSource.migrations.map(({ name, constructor }) => name ?? constructor.name);
  if (applied.length !== known.length || !known.every((name) => applied.includes(name)))
    throw createSchemaVersionError();
}

function createSchemaVersionError(): CommandError {
  return new CommandError(
    'The database schema is of another version: back up with the version that the service runs, and check DATABASE_URL and DATA_DIR.',
  );
}

async function backUpObjects(
  store: ObjectStore,
  { folder, disk }: BackupTarget,
  pause: DeletionPause,
  progress: ProgressLog,
): Promise<{ summary: BackupManifest['objects']; missingKeys: string[] }> {
  const copier = await BackupObjectCopier.open(store, folder, { disk, progress });
  try {
    // Audio first, as its deletion is paused for a short time only.
    progress.startStep('Copying the audio of open jobs ...');
    await copier.copy(streamNeededKeysWithRequiredFlag(folder, 'open'), pause.connectionLost);
    await pause.release('audio');
    progress.startStep('Copying the transcripts ...');
    await copier.copy(streamNeededKeysWithRequiredFlag(folder, 'transcripts'), pause.connectionLost);
    for (const group of ['open', 'transcripts'] as const) await rm(buildNeededObjectListPath(folder, group));
    return { summary: await copier.finish(), missingKeys: copier.missingKeys };
  } finally {
    await copier.close();
  }
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
