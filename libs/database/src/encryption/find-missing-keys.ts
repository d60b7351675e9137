import type { DataSource } from 'typeorm';
import { queryRows } from '../query-rows.js';
import { TABLES_ENCRYPTED_WITH_ENCRYPTION_KEY } from './row-encryptor.js';
import type { Encryptor } from './encryptor.js';

/** Rows were encrypted with a key that this program does not have. */
export interface MissingEncryptionKey {
  keyId: string;
  table: string;
  rows: number;
}

/** Uses one query per table and no decryption. */
export async function findMissingEncryptionKeys(
  dataSource: DataSource,
  { knownIds }: Pick<Encryptor, 'knownIds'>,
): Promise<MissingEncryptionKey[]> {
  const counts = TABLES_ENCRYPTED_WITH_ENCRYPTION_KEY.map(
    ({ table }) =>
      `SELECT key_id AS "keyId", '${table}' AS "table", count(*) AS rows FROM ${table}
       WHERE key_id <> ALL($1::text[]) GROUP BY key_id`,
  );
  return queryRows<MissingEncryptionKey>(dataSource, `${counts.join(' UNION ALL ')} ORDER BY 1, 2`, [
    knownIds,
  ]);
}

/** Of all tables together, whether or not this program has the key. */
export function countRowsPerEncryptionKey(
  dataSource: DataSource,
): Promise<Pick<MissingEncryptionKey, 'keyId' | 'rows'>[]> {
  const ids = TABLES_ENCRYPTED_WITH_ENCRYPTION_KEY.map(
    ({ table }) => `SELECT key_id AS "keyId" FROM ${table} WHERE key_id IS NOT NULL`,
  );
  return queryRows(
    dataSource,
    `SELECT "keyId", count(*) AS rows FROM (${ids.join(' UNION ALL ')}) AS used GROUP BY 1`,
  );
}

/** Statement with the column `id`. */
export const USED_ENCRYPTION_KEY_IDS_SQL = TABLES_ENCRYPTED_WITH_ENCRYPTION_KEY.map(
  ({ table }) => `SELECT key_id AS id FROM ${table} WHERE key_id IS NOT NULL`,
).join(' UNION ');
