import type { QueryRunner } from 'typeorm';

/** Requests that need the table wait behind a statement of a migration for this time at most. */
export const MIGRATION_LOCK_TIMEOUT = '2s';
/** Limit of one wait for older transactions, which it does not disturb. */
const CONCURRENT_LOCK_TIMEOUT = '60s';

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
  await dropIndex(runner, name);
  await runConcurrently(runner, `${create} CONCURRENTLY "${name}" ${definition}`);
}

/** As `createIndex`. An index that does not exist is left out. */
export async function dropIndex(runner: QueryRunner, name: string): Promise<void> {
  if (runner.isTransactionActive) await runner.query(`DROP INDEX IF EXISTS "${name}"`);
  else await runConcurrently(runner, `DROP INDEX CONCURRENTLY IF EXISTS "${name}"`);
}

/** As `createIndex`, for an index that programs use: it exists all the time. */
export async function replaceIndex(
  runner: QueryRunner,
  name: string,
  definition: string,
  options: { unique?: boolean } = {},
): Promise<void> {
  if (runner.isTransactionActive) {
    await dropIndex(runner, name);
    await createIndex(runner, name, definition, options);
    return;
  }
  const replacement = `${name}_new`;
  await createIndex(runner, replacement, definition, options);
  await dropIndex(runner, name);
  await runner.query(`ALTER INDEX "${replacement}" RENAME TO "${name}"`);
}

/** The statements after it wait for locks that others need. */
async function runConcurrently(runner: QueryRunner, statement: string): Promise<void> {
  await runner.query(`SET lock_timeout = '${CONCURRENT_LOCK_TIMEOUT}'`);
  await runner.query(statement);
  await runner.query(`SET lock_timeout = '${MIGRATION_LOCK_TIMEOUT}'`);
}
