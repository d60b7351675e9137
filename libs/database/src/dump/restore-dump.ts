import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { escapeIdentifier, type PoolClient } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { type DataSource, type EntityManager, MigrationExecutor, type QueryRunner } from 'typeorm';
import { createDataSource } from '../data-source.js';
import { findMigrationsByName } from '../migrations/index.js';
import { acquireTransactionAdvisoryLock, MIGRATION_LOCK_ID } from '../advisory-lock.js';
import { tableExists } from '../query-rows.js';
import { listTableNamesToDump } from './list-table-names-to-dump.js';

/** The message for operators states why the database cannot be restored to. */
export class DatabaseNotRestorableError extends Error {
  override readonly name = 'DatabaseNotRestorableError';
}

export interface DumpTable {
  name: string;
  columns: string[];
}

export interface DumpToRestore {
  /** Names. */
  migrations: string[];
  /** Parents before children. */
  tables: readonly DumpTable[];
  /** Rows as returned by `DatabaseSnapshot.copyTable`. */
  readTable: (table: string) => Readable;
  /** Runs with the schema of this version, before the commit. */
  beforeCommit: (tx: EntityManager) => Promise<void>;
}

/**
 * Restores into an empty database and migrates it, in one transaction.
 * @throws DatabaseNotRestorableError if the database contains rows or tables of another version
 */
export async function restoreDump(url: string, restore: DumpToRestore): Promise<void> {
  const options = { url, poolSize: 2, applicationName: 'zephyr-restore', disableTimeouts: true };
  const dumpSchema = createDataSource({ ...options, migrations: findMigrationsByName(restore.migrations) });
  const currentSchema = createDataSource(options);
  try {
    await dumpSchema.initialize();
    await currentSchema.initialize();
    await runInTransaction(currentSchema, (runner) => loadDump(dumpSchema, currentSchema, runner, restore));
  } finally {
    for (const each of [dumpSchema, currentSchema]) if (each.isInitialized) await each.destroy();
  }
}

async function loadDump(
  dumpSchema: DataSource,
  currentSchema: DataSource,
  runner: QueryRunner,
  restore: DumpToRestore,
): Promise<void> {
  await runner.query('SET LOCAL idle_in_transaction_session_timeout = 0');
  await acquireTransactionAdvisoryLock(runner.manager, MIGRATION_LOCK_ID);
  await assertEmptyDatabase(runner, currentSchema, restore.migrations);
  if (await tableExists(runner, 'installation')) await runner.query('DELETE FROM installation');
  await runPendingMigrations(dumpSchema, runner);
  const client = (await runner.connect()) as PoolClient;
  for (const table of restore.tables) await copyRows(client, table, restore.readTable(table.name));
  for (const { name } of restore.tables) await advanceSequences(runner, name);
  await runPendingMigrations(currentSchema, runner);
  await restore.beforeCommit(runner.manager);
}

async function runInTransaction(
  dataSource: DataSource,
  work: (runner: QueryRunner) => Promise<void>,
): Promise<void> {
  const runner = dataSource.createQueryRunner();
  try {
    await runner.startTransaction();
    try {
      await work(runner);
      await runner.commitTransaction();
    } catch (error) {
      await runner.rollbackTransaction().catch(() => undefined);
      throw error;
    }
  } finally {
    await runner.release();
  }
}

/**
 * Changes nothing. `restoreDump` does the same under the lock of migrations.
 * @param migrations names, of the dump
 * @throws DatabaseNotRestorableError
 */
export async function assertRestorableDatabase(dataSource: DataSource, migrations: string[]): Promise<void> {
  await assertEmptyDatabase(dataSource, dataSource, migrations);
}

/** The schema of the version of the dump may exist, as long as its tables are empty. */
async function assertEmptyDatabase(
  db: Pick<DataSource | QueryRunner, 'query'>,
  schema: DataSource,
  migrations: string[],
): Promise<void> {
  for (const table of listTableNamesToDump(schema)) {
    if (table === 'installation' || !(await tableExists(db, escapeIdentifier(table)))) continue;
    const rows = (await db.query(`SELECT FROM ${escapeIdentifier(table)} LIMIT 1`)) as unknown[];
    if (rows.length > 0)
      throw new DatabaseNotRestorableError(
        `The database is not empty. Give restore an empty one, on which neither a program nor \`migrate\` was run: its table ${table} holds rows.`,
      );
  }
  if (!(await tableExists(db, 'schema_migration'))) return;
  const applied = (await db.query('SELECT name FROM schema_migration')) as { name: string }[];
  const isSame =
    applied.length === migrations.length && applied.every(({ name }) => migrations.includes(name));
  if (!isSame)
    throw new DatabaseNotRestorableError(
      'The database holds empty tables of another version than the backup. Give restore a database without tables.',
    );
}

async function runPendingMigrations(dataSource: DataSource, runner: QueryRunner): Promise<void> {
  const executor = new MigrationExecutor(dataSource, runner);
  executor.transaction = 'none';
  await executor.executePendingMigrations();
}

async function copyRows(client: PoolClient, { name, columns }: DumpTable, rows: Readable): Promise<void> {
  const into = `${escapeIdentifier(name)} (${columns.map(escapeIdentifier).join(', ')})`;
  await pipeline(rows, client.query(copyFrom(`COPY ${into} FROM STDIN`)));
}

/** New numbers must follow the loaded ones. */
async function advanceSequences(runner: QueryRunner, table: string): Promise<void> {
  const columns: { name: string; sequence: string }[] = await runner.query(
    `SELECT attname AS name, pg_get_serial_sequence($1, attname) AS sequence FROM pg_attribute
     WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped
       AND pg_get_serial_sequence($1, attname) IS NOT NULL`,
    [escapeIdentifier(table)],
  );
  for (const { name, sequence } of columns)
    await runner.query(
      `SELECT setval($1, greatest(max(${escapeIdentifier(name)}), 1), max(${escapeIdentifier(name)}) IS NOT NULL) FROM ${escapeIdentifier(table)}`,
      [sequence],
    );
}
