import { findMissingEncryptionKeys } from '@app/database';
import type { DataSource } from 'typeorm';
import type { BootContext } from './boot.js';
import { createEncryptor } from './library-options.js';

const ADVICE =
  'Put them back into ENCRYPTION_KEYS, or the service secret that they come from into SERVICE_SECRET_FALLBACKS; see `doctor`.';

/**
 * Keys are missing after a restore without ENCRYPTION_KEYS, for example. The startup does not wait for this
 * check.
 */
export async function warnAboutMissingEncryptionKeys(
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
