import { InvalidConfigError } from '@app/config';
import { readSecretFingerprint, saveSecretFingerprint } from '@app/installation';
import type { DataSource } from 'typeorm';
import { secretFingerprint } from './service-secrets.js';
import type { ServiceSecrets } from './service-secret-file.js';

/** The service secret is not the one of the database, and none of the fallbacks is. */
export class ServiceSecretMismatchError extends InvalidConfigError {
  constructor() {
    super([
      'SERVICE_SECRET is not the one this database was set up with: API keys and signed addresses would not be recognised. Give every process the same SERVICE_SECRET (or the same DATA_DIR); after a rotation that was not completed, add the earlier one to SERVICE_SECRET_FALLBACKS',
    ]);
  }
}

/**
 * The secret that the database names as its own: the current one or, during a rotation, a fallback.
 * @returns undefined when no program was ever started on this database
 * @throws ServiceSecretMismatchError
 */
export async function findDatabaseSecret(
  dataSource: DataSource,
  secrets: ServiceSecrets,
): Promise<string | undefined> {
  const known = await readSecretFingerprint(dataSource);
  if (known === undefined) return undefined;
  const owner = secrets.find((secret) => secretFingerprint(secret) === known);
  if (owner === undefined) throw new ServiceSecretMismatchError();
  return owner;
}

/** From now on the current secret is the one of this database. To be called when nothing needs the others any more. */
export async function adoptServiceSecret(
  dataSource: DataSource,
  [current]: ServiceSecrets,
): Promise<boolean> {
  return saveSecretFingerprint(dataSource, secretFingerprint(current));
}
