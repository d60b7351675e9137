import { existsSync } from 'node:fs';
import type { Config } from '@app/config';
import { fingerprint, presentSecrets, ServiceSecretFile, type ServiceSecrets } from '@app/runtime';
import type { BackupFolder } from '../backup/backup-folder.js';
import type { Manifest } from '../backup/manifest.js';
import { readSecrets, serviceSecretsIn } from '../backup/secrets-file.js';
import { CommandRefused } from '../output.js';

/**
 * The manifest of a backup whose secrets.json was removed later says the same as that of one made without secrets: the
 * operator has them elsewhere, and whether they are the right ones can still be told.
 */
export function withoutRemovedSecrets(folder: BackupFolder, manifest: Manifest): Manifest {
  return existsSync(folder.secrets) ? manifest : { ...manifest, secrets: null };
}

/** What the operator has to set before programs start, for the answer; no values. */
export interface SecretsReport {
  /** True when the service secret was written to the data folder. */
  written: boolean;
}

/**
 * Sees to it that the programs of these settings have the service secret of the backup: it is set, or lies in the data
 * folder, or is written there.
 * @throws CommandRefused when another one is in the way, or none is to be had
 */
export async function restoreServiceSecret(
  { service }: Config,
  folder: BackupFolder,
  manifest: Manifest,
): Promise<SecretsReport> {
  const wanted = manifest.installation.secret_fingerprint;
  const present = await presentSecrets(service);
  if (present !== undefined) {
    if (isAmong(present, wanted)) return { written: false };
    throw new CommandRefused(
      service.secret === undefined
        ? 'DATA_DIR holds another service-secret than that of the backup: API keys would not be recognised. Move that file away, or restore with another DATA_DIR.'
        : `SERVICE_SECRET is not that of the backup: API keys would not be recognised.${where(folder, manifest)}`,
    );
  }
  if (manifest.secrets === null)
    throw new CommandRefused(
      'The backup holds no secrets: set SERVICE_SECRET, and SERVICE_SECRET_FALLBACKS and ENCRYPTION_KEYS where they were set, to those of the service that was backed up.',
    );
  const kept = serviceSecretsIn(await readSecrets(folder));
  if (!isAmong(kept, wanted))
    throw new CommandRefused(`The secret in ${folder.secrets} does not belong to the rows of the backup.`);
  await new ServiceSecretFile(service.dataDir).make(kept);
  return { written: true };
}

/** @throws CommandRefused when something in the rows is encrypted under a key that these settings lack */
export function assertSealingKeys(
  sealer: { hasKey(keyId: string): boolean },
  folder: BackupFolder,
  manifest: Manifest,
): void {
  const lacking = manifest.sealing_keys.filter((id) => !sealer.hasKey(id));
  if (lacking.length > 0)
    throw new CommandRefused(
      `ENCRYPTION_KEYS lacks ${lacking.length} of the keys that encrypt the webhook signing secrets of the backup.${where(folder, manifest)}`,
    );
}

function isAmong(secrets: ServiceSecrets, wanted: string): boolean {
  return secrets.some((secret) => fingerprint(secret) === wanted);
}

function where(folder: BackupFolder, { secrets }: Manifest): string {
  return secrets === null
    ? ' The backup holds no secrets: take the value from where yours are kept.'
    : ` Take the value from ${folder.secrets}, for every program.`;
}
