import { resolve } from 'node:path';
import { createDataSource, findUnknownMigrations } from '@app/database';
import {
  bootWith,
  createSealer,
  packageVersion,
  type Settings,
  settingsOf,
  storeOptions,
} from '@app/runtime';
import { createObjectStore } from '@app/storage';
import { Command } from 'nest-commander';
import { BackupFolder } from '../backup/backup-folder.js';
import { BackupDamaged } from '../backup/hashed-file.js';
import { type Manifest, readManifest } from '../backup/manifest.js';
import { Progress } from '../backup/progress.js';
import { JsonCommand } from '../json-command.js';
import { sizeText } from '../models/size-text.js';
import { CommandRefused, type JsonOption, print } from '../output.js';
import { restoreBackup } from './restore-backup.js';
import { assertSealingKeys, restoreServiceSecret, withoutRemovedSecrets } from './restore-secrets.js';

@Command({
  name: 'restore',
  arguments: '<dir>',
  description: 'restore a backup into an empty database and an empty object store',
})
export class RestoreCommand extends JsonCommand {
  async run([path = '']: string[], options: JsonOption): Promise<void> {
    const folder = new BackupFolder(resolve(path));
    const manifest = withoutRemovedSecrets(folder, await readManifest(folder));
    assertNotNewer(manifest);
    const settings = settingsOf('admin', 'warn');
    const secret = await restoreServiceSecret(settings.config, folder, manifest);
    const restored = await restoreInto(settings, folder, manifest).catch((error: unknown) => {
      throw error instanceof BackupDamaged
        ? new CommandRefused(`${error.message} Restore another backup.`)
        : error;
    });
    const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
    const answer = {
      backup_id: manifest.backup_id,
      created_at: manifest.created_at,
      rows,
      objects: restored.objects.count,
      object_bytes: restored.objects.bytes,
      missing_objects: manifest.objects.missing,
      stages_due: restored.stages,
      webhooks_pending: restored.deliveries,
      webhooks_held: true,
      open_multipart_uploads: restored.openMultipartUploads,
      service_secret_written: secret.written,
    };
    print(options, answer, () => text(answer, settings, folder));
  }
}

async function restoreInto(settings: Settings, folder: BackupFolder, manifest: Manifest) {
  const foundation = await bootWith(settings, { migrating: false });
  try {
    assertSealingKeys(createSealer(foundation), folder, manifest);
    const url = foundation.databaseUrl;
    const dataSource = createDataSource({ url, poolSize: 2, applicationName: 'zephyr-restore' });
    await dataSource.initialize();
    const store = await createObjectStore(storeOptions(foundation));
    try {
      return await restoreBackup({ databaseUrl: url, dataSource, store }, folder, manifest, new Progress());
    } finally {
      await store.close();
      await dataSource.destroy();
    }
  } finally {
    await foundation.release();
  }
}

/** @throws CommandRefused at migrations that this version does not have; nothing was written or opened before */
function assertNotNewer({ migrations, service_version }: Manifest): void {
  const unknown = findUnknownMigrations(migrations);
  if (unknown.length > 0)
    throw new CommandRefused(
      `The backup is of version ${service_version}, which is newer than this one, ${packageVersion()} (${unknown.join(', ')} unknown here). Restore it with that version or a later one.`,
    );
}

interface Answer {
  created_at: string;
  rows: number;
  objects: number;
  object_bytes: number;
  missing_objects: number;
  stages_due: number;
  webhooks_pending: number;
  open_multipart_uploads: number;
  service_secret_written: boolean;
}

function text(answer: Answer, { config }: Settings, folder: BackupFolder): string {
  const lines = [
    `Restored the state of ${answer.created_at}: ${answer.rows} rows, ${answer.objects} objects (${sizeText(answer.object_bytes)}).`,
    `${answer.stages_due} stages of open jobs go on as soon as a processor runs.`,
    `${answer.webhooks_pending} webhooks are pending. They are held, and so are those of jobs that end: \`webhooks release\` sends them.`,
  ];
  if (answer.missing_objects > 0)
    lines.push(
      `${answer.missing_objects} objects were missing when the backup was made: \`store reconcile\` names their jobs.`,
    );
  if (answer.open_multipart_uploads > 0)
    lines.push(
      `${answer.open_multipart_uploads} uploads in parts were under way: their parts are gone, and to complete them answers 400.`,
    );
  if (answer.service_secret_written)
    lines.push(
      `The service secret is in DATA_DIR. Programs on other machines need it as SERVICE_SECRET: it is in ${folder.secrets}.`,
    );
  if (config.service.encryptionKeys.length > 0)
    lines.push('Every program needs the same ENCRYPTION_KEYS as this command.');
  return lines.join('\n');
}
