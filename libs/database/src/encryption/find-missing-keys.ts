import type { DataSource } from 'typeorm';
import { queryRows } from '../query-rows.js';
import { ENCRYPTED_TABLES } from './encrypted-rows.js';
import type { Encryptor } from './encryptor.js';

/** A key that rows were encrypted with and that is not among those of this program. */
export interface MissingEncryptionKey {
  keyId: string;
  table: string;
  rows: number;
}

/** Finds keys that rows need and this program lacks, with one query per table and without decryption. */
export async function findMissingKeys(
  dataSource: DataSource,
  { knownIds }: Pick<Encryptor, 'knownIds'>,
): Promise<MissingEncryptionKey[]> {
  const counts = ENCRYPTED_TABLES.map(
    ({ table }) =>
      `SELECT key_id AS "keyId", '${table}' AS "table", count(*) AS rows FROM ${table}
       WHERE key_id <> ALL($1::text[]) GROUP BY key_id`,
  );
  return queryRows<MissingEncryptionKey>(dataSource, `${counts.join(' UNION ALL ')} ORDER BY 1, 2`, [
    knownIds,
  ]);
}

/** Ids of all keys that rows are encrypted with, as one statement with the column `id`. */
export const USED_KEY_IDS_SQL = ENCRYPTED_TABLES.map(
  ({ table }) => `SELECT key_id AS id FROM ${table} WHERE key_id IS NOT NULL`,
).join(' UNION ');
