import type { QueryRunner } from 'typeorm';

/** Limit of one wait for older transactions, which it does not disturb. */
const LOCK_TIMEOUT = '60s';

/**
 * Without blocking writes, if the migration has `transaction = false`. A restore migrates in one transaction, alone.
 * An index that an earlier attempt left incomplete is replaced.
 * @param definition follows `CREATE INDEX name`
 */
export async function createIndex(
  runner: QueryRunner,
  name: string,
  definition: string,
  { unique = false } = {},
): Promise<void> {
  const create = unique ? 'CREATE UNIQUE INDEX' : 'CREATE INDEX';
  if (runner.isTransactionActive) {
    await runner.query(`${create} "${name}" ${definition}`);
    return;
  }
  await runner.query(`SET lock_timeout = '${LOCK_TIMEOUT}'`);
  await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS "${name}"`);
  await runner.query(`${create} CONCURRENTLY "${name}" ${definition}`);
}
