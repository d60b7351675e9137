import { createHash, hkdfSync } from 'node:crypto';
import type { Config } from '@app/config';
import { ServiceSecretFile, type ServiceSecrets } from './service-secret-file.js';

/**
 * The configured secret, or that of the file in the data folder, which is made on first use; behind it those that are
 * accepted besides.
 */
export async function loadServiceSecrets(config: Config['service']): Promise<ServiceSecrets> {
  const [current, ...others] =
    config.secret === undefined
      ? await new ServiceSecretFile(config.dataDir).readOrCreate()
      : [config.secret];
  return [current, ...new Set([...others, ...config.secretFallbacks])];
}

/** The same, where nothing is made. @returns undefined when there is none yet */
export async function loadExistingServiceSecrets(
  config: Config['service'],
): Promise<ServiceSecrets | undefined> {
  if (config.secret === undefined && !(await new ServiceSecretFile(config.dataDir).exists()))
    return undefined;
  return loadServiceSecrets(config);
}

/** A 32-byte key for one purpose; keys of different purposes tell nothing of each other. */
export function deriveKey(secret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, 'zephyr', purpose, 32));
}

/** Tells two secrets apart without telling anything about them. */
export function secretFingerprint(secret: string): string {
  return createHash('sha256').update(deriveKey(secret, 'fingerprint')).digest('hex').slice(0, 32);
}
