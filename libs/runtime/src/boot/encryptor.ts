import { Encryptor, findMissingEncryptionKeys } from '@app/database';
import type { DataSource } from 'typeorm';
import type { BootContext } from './boot.js';
import { deriveKey } from './service-secrets.js';

/** Uses `ENCRYPTION_KEYS`, else a key derived from `SERVICE_SECRET`; the first key encrypts, all decrypt. */
export function createEncryptor({
  config,
  deriveKeys,
}: Pick<BootContext, 'config' | 'deriveKeys'>): Encryptor {
  const configuredKeys = config.service.encryptionKeys.map((text) => deriveKey(text, 'signing-secret'));
  const [serviceKey, ...fallbackKeys] = deriveKeys('signing-secret');
  const [current = serviceKey, ...retired] = [...configuredKeys, serviceKey, ...fallbackKeys];
  return new Encryptor(current, retired);
}

export interface EncryptionKeyDescription {
  id: string;
  /** For operators. */
  source: string;
}

/** The keys of `createEncryptor`, without repetitions; the first encrypts. */
export function describeEncryptionKeys({
  config,
  deriveKeys,
}: Pick<BootContext, 'config' | 'deriveKeys'>): [EncryptionKeyDescription, ...EncryptionKeyDescription[]] {
  const describe = (key: Buffer, source: string) => ({ id: new Encryptor(key).currentId, source });
  const configured = config.service.encryptionKeys.map((text, at) =>
    describe(deriveKey(text, 'signing-secret'), `number ${at + 1} of ENCRYPTION_KEYS`),
  );
  const [service, ...fallbacks] = deriveKeys('signing-secret');
  const derived = [
    describe(service, 'from SERVICE_SECRET'),
    ...fallbacks.map((key) => describe(key, 'from an earlier or later SERVICE_SECRET')),
  ];
  const [current = describe(service, 'from SERVICE_SECRET'), ...others] = [...configured, ...derived];
  const byId = new Map(others.toReversed().map((key) => [key.id, key]));
  byId.delete(current.id);
  return [current, ...[...byId.values()].toReversed()];
}

const ADVICE =
  'Put them back into ENCRYPTION_KEYS, or the service secret that they come from into SERVICE_SECRET_FALLBACKS; see `doctor`.';

/**
 * Keys are missing after a restore without ENCRYPTION_KEYS, for example. The startup does not wait for this
 * check.
 */
export async function warnAboutUndecryptableRows(
  dataSource: DataSource,
  context: BootContext,
): Promise<void> {
  const { logger } = context;
  try {
    const missing = await findMissingEncryptionKeys(dataSource, createEncryptor(context));
    if (missing.length === 0) return;
    logger.warn({ missing, advice: ADVICE }, 'encryption keys missing');
  } catch (error) {
    logger.debug({ error }, 'missing encryption keys were not looked for');
  }
}
