import { createQueuePool, migrateQueue } from '@app/jobs';
import type { Logger } from 'pino';
import type { DataSource } from 'typeorm';

/** Any number that is ours alone: one migration at a time over all processes. */
const MIGRATION_LOCK = 7_305_812;

export interface MigrateOptions {
  url: string;
  /** The queue's own tables are wanted as well. */
  queueInPostgres: boolean;
  logger: Pick<Logger, 'info'>;
}

/** Brings the schema up to date. Safe to run by every program at every start. @returns the migrations that ran. */
export async function migrate(dataSource: DataSource, options: MigrateOptions): Promise<string[]> {
  const lock = dataSource.createQueryRunner();
  await lock.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
  try {
    const ran = await dataSource.runMigrations({ transaction: 'all' });
    if (options.queueInPostgres) await migrateQueueTables(options.url);
    if (ran.length > 0)
      options.logger.info({ migrations: ran.map(({ name }) => name) }, 'database schema updated');
    return ran.map(({ name }) => name);
  } finally {
    await lock.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK]);
    await lock.release();
  }
}

async function migrateQueueTables(url: string): Promise<void> {
  const pool = createQueuePool(url, 1);
  try {
    await migrateQueue(pool);
  } finally {
    await pool.end();
  }
}
