import { ENCRYPTED_HASHING_KEY, DecryptionError, EncryptedRows, Encryptor, HashingKey } from '@app/database';
import type { DataSource } from 'typeorm';
import { ServiceSecretMismatchError } from './service-secret-check.js';
import { deriveKey } from './service-secrets.js';
import type { ServiceSecrets } from './service-secret-file.js';

/** The table has one row. */
const ROW_ID = ['1'];

/**
 * The key that API keys are hashed with, encrypted under a key of the service secret: a rotation of the secret encrypts
 * it anew, and every API key stays valid, used or not.
 */
export function hashingKeyRows(dataSource: DataSource, secrets: ServiceSecrets): EncryptedRows {
  const [current, ...others] = secrets;
  const keyOf = (secret: string) => deriveKey(secret, 'hashing-key');
  return new EncryptedRows(
    dataSource,
    new Encryptor(keyOf(current), others.map(keyOf)),
    ENCRYPTED_HASHING_KEY,
  );
}

/**
 * Reads the key, and writes it first where the database has none yet.
 * @param owner the secret that this database was set up with: up to now API keys were hashed with a key of it
 * @throws ServiceSecretMismatchError when it is encrypted under none of the secrets
 */
export async function loadOrCreateHashingKey(
  dataSource: DataSource,
  secrets: ServiceSecrets,
  owner: string,
): Promise<Buffer> {
  const rows = hashingKeyRows(dataSource, secrets);
  const { keyId, sealed } = rows.encrypt(ROW_ID, deriveHashingKey(owner));
  const insert = dataSource.createQueryBuilder().insert().into(HashingKey);
  await insert.values({ keyId, sealed }).orIgnore().execute();
  return (await loadHashingKey(dataSource, secrets)) ?? deriveHashingKey(owner);
}

/** Null where the database has none. @throws ServiceSecretMismatchError */
export async function loadHashingKey(
  dataSource: DataSource,
  secrets: ServiceSecrets,
): Promise<Buffer | null> {
  const row = await dataSource.getRepository(HashingKey).findOneBy({ id: 1 });
  if (!row) return null;
  try {
    return hashingKeyRows(dataSource, secrets).decrypt(ROW_ID, row);
  } catch (error) {
    throw error instanceof DecryptionError ? new ServiceSecretMismatchError() : error;
  }
}

/** What versions before the table hashed with. */
export function deriveHashingKey(secret: string): Buffer {
  return deriveKey(secret, 'api-key-hash');
}
