import type { Config } from '@app/config';
import {
  computeSecretFingerprint,
  readServiceSecretsIfPresent,
  type ServiceSecretWithFallbacks,
} from '@app/runtime';
import type { BackupFolder } from '../backup/backup-folder.js';
import type { BackupManifest } from '../backup/backup-manifest.js';
import { readBackupSecrets, toServiceSecretWithFallbacks } from '../backup/backup-secrets.js';
import { CommandError } from '../output.js';

interface BackupServiceSecret {
  secrets: ServiceSecretWithFallbacks;
  /** Whether the data folder needs them, because neither it nor the settings have them. */
  isMissing: boolean;
}

/**
 * Finds the service secret of the backup in the settings, the data folder or the backup. Writes nothing.
 * @throws CommandError if another secret is configured, or the backup contains none
 */
export async function findServiceSecretOfBackup(
  { service }: Config,
  folder: BackupFolder,
  manifest: BackupManifest,
): Promise<BackupServiceSecret> {
  const wanted = manifest.installation.secret_fingerprint;
  const present = await readServiceSecretsIfPresent(service);
  if (present !== undefined) {
    if (hasFingerprint(present, wanted)) return { secrets: present, isMissing: false };
    throw new CommandError(
      service.secret === undefined
        ? 'DATA_DIR holds another service-secret than that of the backup: API keys would not be recognised. Move that file away, or restore with another DATA_DIR.'
        : `SERVICE_SECRET is not that of the backup: API keys would not be recognised.${secretsLocationHint(folder, manifest)}`,
    );
  }
  if (manifest.secrets === null)
    throw new CommandError(
      'The backup holds no secrets: set SERVICE_SECRET, and SERVICE_SECRET_FALLBACKS and ENCRYPTION_KEYS where they were set, to those of the service that was backed up.',
    );
  const secrets = toServiceSecretWithFallbacks(await readBackupSecrets(folder));
  if (!hasFingerprint(secrets, wanted))
    throw new CommandError(`The secret in ${folder.secretsPath} does not belong to the rows of the backup.`);
  return { secrets, isMissing: true };
}

/** @throws CommandError if the settings lack a key that is needed to decrypt rows */
export function assertHasBackupEncryptionKeys(
  encryptor: { hasKey(keyId: string): boolean },
  folder: BackupFolder,
  manifest: BackupManifest,
): void {
  const missing = manifest.sealing_keys.filter((id) => !encryptor.hasKey(id));
  if (missing.length > 0)
    throw new CommandError(
      `ENCRYPTION_KEYS lacks ${missing.length} of the keys that encrypt the webhook signing secrets of the backup.${secretsLocationHint(folder, manifest)}`,
    );
}

function hasFingerprint(secrets: ServiceSecretWithFallbacks, wanted: string): boolean {
  return secrets.some((secret) => computeSecretFingerprint(secret) === wanted);
}

function secretsLocationHint(folder: BackupFolder, { secrets }: BackupManifest): string {
  return secrets === null
    ? ' The backup holds no secrets: take the value from where yours are kept.'
    : ` Take the value from ${folder.secretsPath}, for every program.`;
}
