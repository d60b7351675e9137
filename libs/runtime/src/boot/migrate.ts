import { MIGRATION_LOCK_ID, readSchemaState, withAdvisoryLock } from '@app/database';
import { createQueuePool, migrateQueue } from '@app/jobs';
import type { Logger } from 'pino';
import type { DataSource } from 'typeorm';
import { readPackageVersion } from '../package-version.js';

export interface MigrateOptions {
  url: string;
  /** Migrates the tables of the queue too. */
  queueInPostgres: boolean;
  logger: Pick<Logger, 'info'>;
}

export class SchemaTooNewError extends Error {
  override readonly name = 'SchemaTooNewError';
  constructor(unknown: readonly string[]) {
    super(
      `The database was migrated by a newer version: ${unknown.join(', ')} ${unknown.length === 1 ? 'is' : 'are'} unknown to version ${readPackageVersion()}. Start that version or a later one, or restore a backup from before the upgrade.`,
    );
  }
}

/**
 * Safe to call from several programs at once. @returns the names of the migrations that ran
 * @throws SchemaTooNewError, without a change, if a newer version has migrated the database
 */
export async function migrateDatabase(dataSource: DataSource, options: MigrateOptions): Promise<string[]> {
  return withAdvisoryLock(dataSource, MIGRATION_LOCK_ID, async () => {
    const { unknown } = await readSchemaState(dataSource);
    if (unknown.length > 0) throw new SchemaTooNewError(unknown);
    const ran = await dataSource.runMigrations({ transaction: 'all' });
    if (options.queueInPostgres) await migrateQueueTables(options.url);
    if (ran.length > 0)
      options.logger.info({ migrations: ran.map(({ name }) => name) }, 'database schema updated');
    return ran.map(({ name }) => name);
  });
}

async function migrateQueueTables(url: string): Promise<void> {
  const pool = createQueuePool(url, 1);
  try {
    await migrateQueue(pool);
  } finally {
    await pool.end();
  }
}
