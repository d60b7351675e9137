import { readFile } from 'node:fs/promises';
import { type Config, listItems, listText } from '@app/config';
import { presentSecrets, type ServiceSecrets } from '@app/runtime';
import { z } from 'zod';
import { CommandRefused } from '../output.js';
import type { BackupFolder } from './backup-folder.js';
import { type FileSummary, writeHashed } from './hashed-file.js';

const secrets = z.object({
  SERVICE_SECRET: z.string(),
  /** Comma-separated, as it is set; empty where none was. */
  SERVICE_SECRET_FALLBACKS: z.string(),
  ENCRYPTION_KEYS: z.string(),
});

/** Named as the settings that take them. */
export type Secrets = z.infer<typeof secrets>;

/** Those that the programs of these settings run with. */
export async function secretsInUse({ service }: Config): Promise<Secrets> {
  const present = await presentSecrets(service);
  if (present === undefined)
    throw new CommandRefused('There is no service secret: is DATA_DIR the right one?');
  const [current, ...others] = present;
  return {
    SERVICE_SECRET: current,
    SERVICE_SECRET_FALLBACKS: listText(others),
    ENCRYPTION_KEYS: listText(service.encryptionKeys),
  };
}

/** Those that a program which is set to these values accepts. */
export function serviceSecretsIn(value: Secrets): ServiceSecrets {
  return [value.SERVICE_SECRET, ...listItems(value.SERVICE_SECRET_FALLBACKS)];
}

export async function writeSecrets(folder: BackupFolder, value: Secrets): Promise<FileSummary> {
  return writeHashed(folder.secrets, [`${JSON.stringify(value, null, 2)}\n`]);
}

export async function readSecrets(folder: BackupFolder): Promise<Secrets> {
  const parsed = secrets.safeParse(JSON.parse(await readFile(folder.secrets, 'utf8')));
  if (!parsed.success) throw new CommandRefused(`${folder.secrets} is not the file that a backup writes.`);
  return parsed.data;
}
