import { resolve } from 'node:path';
import { createDataSource, filterUnknownMigrationNames } from '@app/database';
import {
  prepareDatabaseAndCreateBootContext,
  createEncryptor,
  createKeysDeriver,
  readPackageVersion,
  type ConfigAndLogger,
  loadConfigAndCreateLogger,
  buildStorageOptions,
  ServiceSecretFile,
  type ServiceSecretWithFallbacks,
} from '@app/runtime';
import { createObjectStore } from '@app/storage';
import { Command } from 'nest-commander';
import { BackupFolder } from '../backup/backup-folder.js';
import { BackupDamagedError } from '../backup/file-checksum.js';
import { type BackupManifest, countBackupRows, readBackupManifest } from '../backup/backup-manifest.js';
import { ProgressLog } from '../backup/progress-log.js';
import { assertRootMayWriteServiceData } from '../folder-owner.js';
import { OperatorCommand } from '../operator-command.js';
import { CommandError, formatSize, type JsonOption, printResult } from '../output.js';
import { type RestoreResult, restoreBackup } from './restore-backup.js';
import { assertHasBackupEncryptionKeys, findServiceSecretOfBackup } from './restore-secrets.js';

@Command({
  name: 'restore',
  arguments: '<dir>',
  description: 'restore a backup into an empty database and an empty object store',
})
export class RestoreCommand extends OperatorCommand {
  async run([path = '']: string[], options: JsonOption): Promise<void> {
    const folder = new BackupFolder(resolve(path));
    const manifest = await readBackupManifest(folder);
    assertNotNewer(manifest);
    const settings = loadConfigAndCreateLogger('admin', 'warn');
    const { config } = settings;
    await assertRootMayWriteServiceData(config);
    const { secrets, isMissing } = await findServiceSecretOfBackup(config, folder, manifest);
    const deriveKeys = createKeysDeriver([...secrets, ...config.service.secretFallbacks]);
    assertHasBackupEncryptionKeys(createEncryptor({ config, deriveKeys }), folder, manifest);
    const writeSecret = async () => {
      if (isMissing) await new ServiceSecretFile(config.service.dataDir).create(secrets);
    };
    const withSecret = isMissing ? withServiceSecret(settings, secrets) : settings;
    const restored = await restoreInto(withSecret, folder, manifest, writeSecret).catch((error: unknown) => {
      throw error instanceof BackupDamagedError
        ? new CommandError(`${error.message} Restore another backup.`)
        : error;
    });
    const summary = buildSummary(manifest, restored, isMissing);
    printResult(options, summary, () => formatSummary(summary, settings, folder));
  }
}

function buildSummary(manifest: BackupManifest, restored: RestoreResult, secretWritten: boolean) {
  return {
    backup_id: manifest.backup_id,
    created_at: manifest.created_at,
    rows: countBackupRows(manifest),
    objects: restored.objects.count,
    object_bytes: restored.objects.bytes,
    missing_objects: manifest.objects.missing,
    stages_due: restored.stages,
    webhooks_pending: restored.deliveries,
    webhooks_held: true,
    sessions_ended: restored.sessions,
    open_multipart_uploads: restored.openMultipartUploads,
    service_secret_written: secretWritten,
  };
}

/** Without a file in DATA_DIR, so that a restore that is refused leaves none there. */
function withServiceSecret(
  settings: ConfigAndLogger,
  [secret, ...others]: ServiceSecretWithFallbacks,
): ConfigAndLogger {
  const { config } = settings;
  const secretFallbacks = [...others, ...config.service.secretFallbacks];
  return { ...settings, config: { ...config, service: { ...config.service, secret, secretFallbacks } } };
}

async function restoreInto(
  settings: ConfigAndLogger,
  folder: BackupFolder,
  manifest: BackupManifest,
  onAccepted: () => Promise<void>,
): Promise<RestoreResult> {
  const bootContext = await prepareDatabaseAndCreateBootContext(settings, { migrations: 'never' });
  try {
    const url = bootContext.databaseUrl;
    const dataSource = createDataSource({ url, poolSize: 2, applicationName: 'zephyr-restore' });
    await dataSource.initialize();
    const store = await createObjectStore(buildStorageOptions(bootContext));
    try {
      return await restoreBackup(
        { databaseUrl: url, dataSource, store, onAccepted },
        folder,
        manifest,
        new ProgressLog(),
      );
    } finally {
      await store.close();
      await dataSource.destroy();
    }
  } finally {
    await bootContext.release();
  }
}

/** Runs before anything is opened or written. @throws CommandError */
function assertNotNewer({ migrations, service_version }: BackupManifest): void {
  const unknown = filterUnknownMigrationNames(migrations);
  if (unknown.length > 0)
    throw new CommandError(
      `The backup is of version ${service_version}, which is newer than this one, ${readPackageVersion()} (${unknown.join(', ')} unknown here). Restore it with that version or a later one.`,
    );
}

function formatSummary(
  summary: ReturnType<typeof buildSummary>,
  { config }: ConfigAndLogger,
  folder: BackupFolder,
): string {
  const lines = [
    `Restored the state of ${summary.created_at}: ${summary.rows} rows, ${summary.objects} objects (${formatSize(summary.object_bytes)}).`,
    `${summary.stages_due} stages of open jobs go on as soon as a processor runs.`,
    `${summary.webhooks_pending} webhooks are pending. They are held, and so are those of jobs that end: \`webhooks release\` sends them.`,
    'Until then no card is charged or refunded. Auto-recharge by card is paused: a top-up or saving its settings resumes it.',
    `Users sign in again: ${summary.sessions_ended} sessions, and all links and sign-ins that were under way, are deleted.`,
    `Keys that were revoked, members who were removed, roles that were lowered and users who were disabled after ${summary.created_at} have their access again: repeat those changes.`,
  ];
  if (summary.missing_objects > 0)
    lines.push(
      `${summary.missing_objects} objects were missing when the backup was made: \`store reconcile\` names their jobs.`,
    );
  if (summary.open_multipart_uploads > 0)
    lines.push(
      `${summary.open_multipart_uploads} uploads in parts were under way: their parts are gone, and to complete them answers 400.`,
    );
  if (summary.service_secret_written)
    lines.push(
      `The service secret is in DATA_DIR. Programs on other machines need it as SERVICE_SECRET: it is in ${folder.secretsPath}.`,
    );
  if (config.service.encryptionKeys.length > 0)
    lines.push('Every program needs the same ENCRYPTION_KEYS as this command.');
  return lines.join('\n');
}
