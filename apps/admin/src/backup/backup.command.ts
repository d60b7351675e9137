import { resolve } from 'node:path';
import { buildStorageOptions, createEncryptor } from '@app/runtime';
import { createObjectStore } from '@app/storage';

import { Command } from 'nest-commander';
import { WithOptions, OperatorCommand } from '../operator-command.js';
import { CommandError, formatSize, type JsonOption, printResult } from '../output.js';
import { ProgressLog } from './progress-log.js';
import { loadSecretsInUse } from './backup-secrets.js';
import { createBackup } from './create-backup.js';
import { verifyBackup } from './verify-backup.js';

interface BackupOptions extends JsonOption {
  withoutSecrets?: boolean;
  verify?: boolean;
}

@Command({
  name: 'backup',
  arguments: '<dir>',
  description: 'copy database, objects and secrets into a new folder, while the service runs',
})
@WithOptions(
  { flags: '--without-secrets', description: 'do not copy the service secret and the encryption keys' },
  { flags: '--verify', description: 'do not create a backup; check the existing one against its checksums' },
)
export class BackupCommand extends OperatorCommand {
  async run([path = '']: string[], options: BackupOptions): Promise<void> {
    const folder = resolve(path);
    return options.verify ? verify(folder, options) : this.backUp(folder, options);
  }

  private async backUp(folder: string, options: BackupOptions): Promise<void> {
    const startedAt = performance.now();
    const { dataSource, bootContext } = await this.context.openWithoutMigrating();
    const store = await createObjectStore(buildStorageOptions(bootContext));
    try {
      const secrets = options.withoutSecrets ? null : await loadSecretsInUse(bootContext.config);
      const encryptor = createEncryptor(bootContext);
      const { service, storage } = bootContext.config;
      const sources = {
        ...{ dataSource, databaseUrl: bootContext.databaseUrl, store, secrets, encryptor },
        serviceDisk: { dataDir: service.dataDir, reserveBytes: storage.diskReserveBytes },
      };
      const { manifest, missingKeys } = await createBackup(sources, folder, new ProgressLog());
      const { backup_id, created_at, tables, objects } = manifest;
      const rows = tables.reduce((sum, table) => sum + table.rows, 0);
      const answer = {
        ...{ folder, backup_id, created_at, tables: tables.length, rows },
        objects: objects.count,
        object_bytes: objects.total_bytes,
        missing_objects: objects.missing,
        secrets: secrets !== null,
        seconds: Math.round(performance.now() - startedAt) / 1_000,
      };
      if (objects.missing > 0)
        process.stderr.write(
          `Warning: the object store lacks ${objects.missing} objects that the rows need: ${missingKeys.join(', ')}\n`,
        );
      printResult(options, answer, () =>
        [
          `Backed up to ${folder}: ${rows} rows, ${objects.count} objects (${formatSize(objects.total_bytes)}), in ${answer.seconds} s.`,
          secrets === null
            ? 'It does not contain the secrets.'
            : `${folder}/secrets.json contains the secrets: keep it safe.`,
        ].join('\n'),
      );
    } finally {
      await store.close();
    }
  }
}

async function verify(folder: string, options: JsonOption): Promise<void> {
  const { manifest, files, damaged } = await verifyBackup(folder, new ProgressLog());
  const { backup_id, created_at, objects } = manifest;
  const secrets = manifest.secrets !== null;
  const answer = { backup_id, created_at, files, damaged, missing_objects: objects.missing, secrets };
  printResult(options, answer, () =>
    [
      damaged.length === 0
        ? `${files} files match their checksums; the backup is of ${created_at}.`
        : `Damaged: ${damaged.join(', ')}.`,
      ...(secrets ? [] : ['It contains no secrets: a restore needs your own copy of them.']),
    ].join('\n'),
  );
  if (damaged.length > 0) throw new CommandError(`${damaged.length} of ${files} files are damaged.`);
}
