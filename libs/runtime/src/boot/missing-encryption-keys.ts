import { findMissingKeys } from '@app/database';
import type { DataSource } from 'typeorm';
import type { BootContext } from './boot.js';
import { createSealer } from './library-options.js';

const ADVICE =
  'Put them back into ENCRYPTION_KEYS, or the service secret that they come from into SERVICE_SECRET_FALLBACKS; see `doctor`.';

/**
 * One line in the log where rows are encrypted with a key that this program does not have, as after a restore without
 * ENCRYPTION_KEYS: everything seems to work until one of them is needed. A start does not wait for it.
 */
export async function warnAboutMissingEncryptionKeys(
  dataSource: DataSource,
  foundation: BootContext,
): Promise<void> {
  const { logger } = foundation;
  try {
    const missing = await findMissingKeys(dataSource, createSealer(foundation));
    if (missing.length === 0) return;
    logger.warn({ missing, advice: ADVICE }, 'encryption keys missing');
  } catch (error) {
    logger.debug({ error }, 'missing encryption keys were not looked for');
  }
}
