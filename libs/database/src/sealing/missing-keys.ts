import type { DataSource } from 'typeorm';
import { rowsOf } from '../rows.js';
import { ENCRYPTED_TABLES } from './sealed-rows.js';
import type { Sealer } from './sealer.js';

/** A key that rows were encrypted with and that is not among those of this program. */
export interface MissingKey {
  keyId: string;
  table: string;
  rows: number;
}

/** Which rows none of the keys decrypts. One look at each table, and no row is decrypted. */
export async function missingKeys(
  dataSource: DataSource,
  { knownIds }: Pick<Sealer, 'knownIds'>,
): Promise<MissingKey[]> {
  const counts = ENCRYPTED_TABLES.map(
    ({ table }) =>
      `SELECT key_id AS "keyId", '${table}' AS "table", count(*) AS rows FROM ${table}
       WHERE key_id <> ALL($1::text[]) GROUP BY key_id`,
  );
  return rowsOf<MissingKey>(dataSource, `${counts.join(' UNION ALL ')} ORDER BY 1, 2`, [knownIds]);
}

/** Ids of all keys that rows are encrypted with, as one statement with the column `id`. */
export const USED_KEY_IDS = ENCRYPTED_TABLES.map(
  ({ table }) => `SELECT key_id AS id FROM ${table} WHERE key_id IS NOT NULL`,
).join(' UNION ');
