import { readFile } from 'node:fs/promises';
import { type Config, parseCommaSeparatedList, formatCommaSeparatedList } from '@app/config';
import { readServiceSecretsIfPresent, type ServiceSecretWithFallbacks } from '@app/runtime';
import { z } from 'zod';
import { CommandError } from '../output.js';
import type { BackupFolder } from './backup-folder.js';
import { type FileSizeAndChecksum, writeFileReturningChecksum } from './file-checksum.js';

const secrets = z.object({
  SERVICE_SECRET: z.string(),
  /** Comma-separated like the setting; empty if unset. */
  SERVICE_SECRET_FALLBACKS: z.string(),
  ENCRYPTION_KEYS: z.string(),
});

/** The keys are the names of the settings. */
export type BackupSecrets = z.infer<typeof secrets>;

/** @throws CommandError if there is no service secret yet */
export async function loadSecretsInUse({ service }: Config): Promise<BackupSecrets> {
  const present = await readServiceSecretsIfPresent(service);
  if (present === undefined) throw new CommandError('There is no service secret: is DATA_DIR the right one?');
  const [current, ...others] = present;
  return {
    SERVICE_SECRET: current,
    SERVICE_SECRET_FALLBACKS: formatCommaSeparatedList(others),
    ENCRYPTION_KEYS: formatCommaSeparatedList(service.encryptionKeys),
  };
}

export function toServiceSecretWithFallbacks(value: BackupSecrets): ServiceSecretWithFallbacks {
  return [value.SERVICE_SECRET, ...parseCommaSeparatedList(value.SERVICE_SECRET_FALLBACKS)];
}

export async function writeBackupSecrets(
  folder: BackupFolder,
  value: BackupSecrets,
): Promise<FileSizeAndChecksum> {
  return writeFileReturningChecksum(folder.secretsPath, [`${JSON.stringify(value, null, 2)}\n`]);
}

export async function readBackupSecrets(folder: BackupFolder): Promise<BackupSecrets> {
  const parsed = secrets.safeParse(JSON.parse(await readFile(folder.secretsPath, 'utf8')));
  if (!parsed.success) throw new CommandError(`${folder.secretsPath} is not the file that a backup writes.`);
  return parsed.data;
}
