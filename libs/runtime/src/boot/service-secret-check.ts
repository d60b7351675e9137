import { InvalidConfigError } from '@app/config';
import { findSecretFingerprint, replaceSecretFingerprint } from '@app/installation';
import type { DataSource } from 'typeorm';
import { computeSecretFingerprint } from './service-secrets.js';
import type { ServiceSecretWithFallbacks } from './service-secret-file.js';

/** Neither the service secret nor a fallback belongs to the database. */
export class ServiceSecretMismatchError extends InvalidConfigError {
  constructor() {
    super([
      'SERVICE_SECRET is not the one this database was set up with: API keys and signed URLs would not be recognised. Give every process the same SERVICE_SECRET (or the same DATA_DIR); after a rotation that was not completed, add the earlier one to SERVICE_SECRET_FALLBACKS',
    ]);
  }
}

/**
 * @returns the current secret or, during a rotation, the fallback whose fingerprint is in the database;
 * undefined if no program was started on it yet
 * @throws ServiceSecretMismatchError
 */
export async function requireServiceSecretMatchingDatabase(
  dataSource: DataSource,
  secrets: ServiceSecretWithFallbacks,
): Promise<string | undefined> {
  const known = await findSecretFingerprint(dataSource);
  if (known === undefined) return undefined;
  const owner = secrets.find((secret) => computeSecretFingerprint(secret) === known);
  if (owner === undefined) throw new ServiceSecretMismatchError();
  return owner;
}

/** Records the current secret. Call it when nothing needs the others. */
export async function replaceServiceSecretFingerprint(
  dataSource: DataSource,
  [current]: ServiceSecretWithFallbacks,
): Promise<boolean> {
  return replaceSecretFingerprint(dataSource, computeSecretFingerprint(current));
}
