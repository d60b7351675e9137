import { createHash, hkdfSync } from 'node:crypto';
import type { Config } from '@app/config';
import { ServiceSecretFile, type ServiceSecretWithFallbacks } from './service-secret-file.js';

/**
 * @returns the configured secret, or those of the file in the data directory, which is created; then the
 * fallbacks
 */
export async function loadOrCreateServiceSecrets(
  config: Config['service'],
): Promise<ServiceSecretWithFallbacks> {
  const [current, ...others] =
    config.secret === undefined
      ? await new ServiceSecretFile(config.dataDir).readOrCreate()
      : [config.secret];
  return [current, ...new Set([...others, ...config.secretFallbacks])];
}

/** Creates nothing. @returns undefined if there is no secret yet */
export async function readServiceSecretsIfPresent(
  config: Config['service'],
): Promise<ServiceSecretWithFallbacks | undefined> {
  if (config.secret === undefined && !(await new ServiceSecretFile(config.dataDir).exists()))
    return undefined;
  return loadOrCreateServiceSecrets(config);
}

/** 32 bytes; keys of different purposes are independent. */
export function deriveKey(secret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, 'zephyr', purpose, 32));
}

export type DerivedKeyPurpose = 'address-signing' | 'result-address' | 'signing-secret';

/** @returns a function that derives the keys of a purpose: that of the current secret first */
export function createKeysDeriver([current, ...others]: ServiceSecretWithFallbacks) {
  return (purpose: DerivedKeyPurpose): readonly [Buffer, ...Buffer[]] => [
    deriveKey(current, purpose),
    ...others.map((secret) => deriveKey(secret, purpose)),
  ];
}

/** Identifies a secret without revealing it. */
export function computeSecretFingerprint(secret: string): string {
  return createHash('sha256').update(deriveKey(secret, 'fingerprint')).digest('hex').slice(0, 32);
}
