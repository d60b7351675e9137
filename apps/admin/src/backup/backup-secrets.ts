import { readFile } from 'node:fs/promises';
import { type Config, parseList, formatList } from '@app/config';
import { loadExistingServiceSecrets, type ServiceSecrets } from '@app/runtime';
import { z } from 'zod';
import { CommandError } from '../output.js';
import type { BackupFolder } from './backup-folder.js';
import { type FileChecksum, writeFileWithChecksum } from './file-checksum.js';

const secrets = z.object({
  SERVICE_SECRET: z.string(),
  /** Comma-separated, as it is set; empty where none was. */
  SERVICE_SECRET_FALLBACKS: z.string(),
  ENCRYPTION_KEYS: z.string(),
});

/** Named as the settings that take them. */
export type BackupSecrets = z.infer<typeof secrets>;

/** Those that the programs of these settings run with. */
export async function loadSecretsInUse({ service }: Config): Promise<BackupSecrets> {
  const present = await loadExistingServiceSecrets(service);
  if (present === undefined) throw new CommandError('There is no service secret: is DATA_DIR the right one?');
  const [current, ...others] = present;
  return {
    SERVICE_SECRET: current,
    SERVICE_SECRET_FALLBACKS: formatList(others),
    ENCRYPTION_KEYS: formatList(service.encryptionKeys),
  };
}

/** Those that a program which is set to these values accepts. */
export function toServiceSecrets(value: BackupSecrets): ServiceSecrets {
  return [value.SERVICE_SECRET, ...parseList(value.SERVICE_SECRET_FALLBACKS)];
}

export async function writeBackupSecrets(folder: BackupFolder, value: BackupSecrets): Promise<FileChecksum> {
  return writeFileWithChecksum(folder.secretsPath, [`${JSON.stringify(value, null, 2)}\n`]);
}

export async function readBackupSecrets(folder: BackupFolder): Promise<BackupSecrets> {
  const parsed = secrets.safeParse(JSON.parse(await readFile(folder.secretsPath, 'utf8')));
  if (!parsed.success) throw new CommandError(`${folder.secretsPath} is not the file that a backup writes.`);
  return parsed.data;
}
