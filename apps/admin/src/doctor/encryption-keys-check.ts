import { type MissingEncryptionKey, findMissingKeys, type Encryptor } from '@app/database';
import type { DataSource } from 'typeorm';
import { type Finding, ok, problem } from './finding.js';

const NAME = 'encryption';

/** What the rows of each table are, for operators. */
const TABLE_LABELS: Record<string, string> = {
  webhook_secret: 'webhook signing secrets',
  webhook_previous_secret: 'previous webhook signing secrets',
  idempotency_key: 'stored responses',
  webhook_delivery: 'webhook bodies',
};

/** Whether every encrypted row can be decrypted with the keys of this program. */
export async function checkEncryptionKeys(
  dataSource: DataSource,
  sealer: Pick<Encryptor, 'knownIds'>,
): Promise<Finding> {
  const missing = await findMissingKeys(dataSource, sealer);
  if (missing.length === 0) return ok(NAME, 'there is a key for every encrypted row');
  return problem(
    NAME,
    `missing: ${groupByKey(missing).join('; ')}`,
    'Put the keys back into ENCRYPTION_KEYS (or, of rows that were encrypted without them, the earlier SERVICE_SECRET into SERVICE_SECRET_FALLBACKS): secrets.json of a backup has them. Webhooks of these accounts fail without, and repeated requests are refused.',
  );
}

function groupByKey(missing: readonly MissingEncryptionKey[]): string[] {
  return [...new Set(missing.map(({ keyId }) => keyId))].map((id) => {
    const rows = missing
      .filter(({ keyId }) => keyId === id)
      .map(({ table, rows: count }) => `${count} of ${table} (${TABLE_LABELS[table] ?? 'encrypted'})`);
    return `key ${id}, needed by ${rows.join(', ')}`;
  });
}
