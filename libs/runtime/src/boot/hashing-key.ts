import {
  ENCRYPTED_HASHING_KEY_TABLE,
  DecryptionError,
  RowEncryptor,
  Encryptor,
  HashingKey,
} from '@app/database';
import type { DataSource } from 'typeorm';
import { ServiceSecretMismatchError } from './service-secret-check.js';
import { deriveKey } from './service-secrets.js';
import type { ServiceSecretWithFallbacks } from './service-secret-file.js';

const ROW_ID = ['1'];

/**
 * Encrypted with a key derived from the service secret, so its rotation only re-encrypts the row, and API
 * keys stay valid.
 */
export function createHashingKeyEncryptor(
  dataSource: DataSource,
  secrets: ServiceSecretWithFallbacks,
): RowEncryptor {
  const [current, ...others] = secrets;
  const keyOf = (secret: string) => deriveKey(secret, 'hashing-key');
  return new RowEncryptor(
    dataSource,
    new Encryptor(keyOf(current), others.map(keyOf)),
    ENCRYPTED_HASHING_KEY_TABLE,
  );
}

/**
 * @param owner the secret of this database; without a row, API keys are hashed with a key derived from it
 * @throws ServiceSecretMismatchError if none of the secrets decrypts the row
 */
export async function loadOrCreateHashingKey(
  dataSource: DataSource,
  secrets: ServiceSecretWithFallbacks,
  owner: string,
): Promise<Buffer> {
  const encryptor = createHashingKeyEncryptor(dataSource, secrets);
  const { keyId, sealed } = encryptor.encrypt(ROW_ID, deriveHashingKey(owner));
  const insert = dataSource.createQueryBuilder().insert().into(HashingKey);
  await insert.values({ keyId, sealed }).orIgnore().execute();
  return (await decryptStoredHashingKey(dataSource, secrets)) ?? deriveHashingKey(owner);
}

/** @returns null without a row @throws ServiceSecretMismatchError */
export async function decryptStoredHashingKey(
  dataSource: DataSource,
  secrets: ServiceSecretWithFallbacks,
): Promise<Buffer | null> {
  const row = await dataSource.getRepository(HashingKey).findOneBy({ id: 1 });
  if (!row) return null;
  try {
    return createHashingKeyEncryptor(dataSource, secrets).decrypt(ROW_ID, row);
  } catch (error) {
    throw error instanceof DecryptionError ? new ServiceSecretMismatchError() : error;
  }
}

/** Versions before the table `hashing_key` used this key. */
export function deriveHashingKey(secret: string): Buffer {
  return deriveKey(secret, 'api-key-hash');
}
