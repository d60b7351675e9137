import { type DataSource, type Migration, MigrationExecutor, type QueryRunner } from 'typeorm';
import { MIGRATION_LOCK_TIMEOUT } from './create-index.js';

const LOCK_NOT_AVAILABLE = '55P03';

/** Another transaction holds a lock that the next migration needs; those before it are done. */
export class MigrationLockTimeoutError extends Error {
  override readonly name = 'MigrationLockTimeoutError';
}

/**
 * Runs the pending migrations, each in a transaction unless it has `transaction = false`.
 * @param onMigrated is called after each with its name
 * @throws MigrationLockTimeoutError, after which it can be called again
 */
export async function runPendingMigrations(
  dataSource: DataSource,
  onMigrated: (name: string) => void,
): Promise<void> {
  const runner = dataSource.createQueryRunner();
  const executor = new MigrationExecutor(dataSource, runner);
  try {
    for (const migration of await executor.getPendingMigrations()) {
      await runner.query(`SET lock_timeout = '${MIGRATION_LOCK_TIMEOUT}'`);
      await runMigration(runner, executor, migration);
      onMigrated(migration.name);
    }
  } catch (error) {
    if ((error as { code?: string }).code !== LOCK_NOT_AVAILABLE) throw error;
    throw new MigrationLockTimeoutError('Another transaction holds a lock that the migration needs.', {
      cause: error,
    });
  } finally {
    await runner.query('RESET lock_timeout').catch(() => undefined);
    await runner.release();
  }
}

async function runMigration(
  runner: QueryRunner,
  executor: MigrationExecutor,
  migration: Migration,
): Promise<void> {
  if (migration.instance?.transaction === false) {
    await executor.executeMigration(migration);
    return;
  }
  await runner.startTransaction();
  try {
    await executor.executeMigration(migration);
    await runner.commitTransaction();
  } catch (error) {
    await runner.rollbackTransaction().catch(() => undefined);
    throw error;
  }
}
