import { MIGRATION_LOCK_ID, readSchemaState, withAdvisoryLock } from '@app/database';
import { createQueuePool, migrateQueue } from '@app/jobs';
import type { Logger } from 'pino';
import type { DataSource } from 'typeorm';
import { packageVersion } from '../package-version.js';

export interface MigrateOptions {
  url: string;
  /** The queue's own tables are wanted as well. */
  queueInPostgres: boolean;
  logger: Pick<Logger, 'info'>;
}

/** The database was migrated by a newer version than this one. */
export class SchemaTooNew extends Error {
  override readonly name = 'SchemaTooNew';
  constructor(unknown: readonly string[]) {
    super(
      `The database was migrated by a newer version: ${unknown.join(', ')} ${unknown.length === 1 ? 'is' : 'are'} unknown to version ${packageVersion()}. Start that version or a later one, or restore a backup from before the upgrade.`,
    );
  }
}

/**
 * Brings the schema up to date. Safe to run by every program at every start.
 *
 * @returns the migrations that ran
 * @throws SchemaTooNew when a newer version has migrated it; nothing is changed then
 */
export async function migrate(dataSource: DataSource, options: MigrateOptions): Promise<string[]> {
  return withAdvisoryLock(dataSource, MIGRATION_LOCK_ID, async () => {
    const { unknown } = await readSchemaState(dataSource);
    if (unknown.length > 0) throw new SchemaTooNew(unknown);
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
