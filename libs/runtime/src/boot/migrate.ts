import {
  MIGRATION_LOCK_ID,
  MigrationLockTimeoutError,
  readPendingAndUnknownMigrations,
  runPendingMigrations,
  withAdvisoryLock,
} from '@app/database';
import { createQueuePool, migrateQueueSchema } from '@app/jobs';
import type { Logger } from 'pino';
import { setTimeout as pause } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import { readPackageVersion } from '../package-version.js';

const MAX_BLOCKED_MS = 600_000;
const BLOCKED_PAUSE_MS = 1_000;
const BLOCKED_ADVICE =
  'The database cannot be migrated: another transaction has held a lock for ten minutes. End it, and start again: pg_stat_activity shows it, with the oldest xact_start.';

export interface MigrateOptions {
  url: string;
  /** Migrates the tables of the queue too. */
  queueInPostgres: boolean;
  logger: Pick<Logger, 'info'>;
  /** Whether an older schema is refused instead of migrated. */
  onlyIfEmpty?: boolean;
  /** Runs before migrations change tables that are there; none runs if it rejects. */
  beforeChange?: () => Promise<void>;
  /** Is called after each migration. */
  onMigrated?: (name: string) => void;
  /** For which other transactions may hold a lock; default ten minutes. */
  maxBlockedMs?: number;
}

export class SchemaTooNewError extends Error {
  override readonly name = 'SchemaTooNewError';
  constructor(unknown: readonly string[]) {
    super(
      `The database was migrated by a newer version: ${unknown.join(', ')} ${unknown.length === 1 ? 'is' : 'are'} unknown to version ${readPackageVersion()}. Start that version or a later one, or restore a backup from before the upgrade.`,
    );
  }
}

class SchemaTooOldError extends Error {
  override readonly name = 'SchemaTooOldError';
  constructor() {
    super(
      `The database has an older schema than version ${readPackageVersion()}, and this command does not change it: run \`migrate --plan\`, then \`migrate\` or the programs of this version.`,
    );
  }
}

/**
 * Safe to call from several programs at once. Does not wait long for a lock of a table, because requests would wait behind
 * it, and tries again. @returns the names of the migrations that ran
 * @throws SchemaTooNewError, without a change, if a newer version has migrated the database
 * @throws SchemaTooOldError, without a change, if `onlyIfEmpty` and an earlier version has migrated the database
 * @throws MigrationLockTimeoutError if another transaction held a lock for ten minutes
 */
export async function migrateDatabase(dataSource: DataSource, options: MigrateOptions): Promise<string[]> {
  const { logger, maxBlockedMs = MAX_BLOCKED_MS } = options;
  const ran: string[] = [];
  const giveUpAt = performance.now() + maxBlockedMs;
  for (;;) {
    try {
      await withAdvisoryLock(
        dataSource,
        MIGRATION_LOCK_ID,
        () => migrate(dataSource, options, ran),
        () =>
          logger.info(
            'another program migrates the database, or its connection was lost: waiting for its lock',
          ),
      );
      break;
    } catch (error) {
      if (!(error instanceof MigrationLockTimeoutError)) throw error;
      if (performance.now() >= giveUpAt)
        throw new MigrationLockTimeoutError(BLOCKED_ADVICE, { cause: error });
      logger.info('the migration of the database waits for the end of another transaction');
      await pause(BLOCKED_PAUSE_MS * (1 + Math.random()));
    }
  }
  if (ran.length > 0) logger.info({ migrations: ran }, 'database schema updated');
  return ran;
}

async function migrate(
  dataSource: DataSource,
  { url, queueInPostgres, onlyIfEmpty = false, beforeChange, onMigrated }: MigrateOptions,
  ran: string[],
): Promise<void> {
  const { pending, unknown } = await readPendingAndUnknownMigrations(dataSource);
  if (unknown.length > 0) throw new SchemaTooNewError(unknown);
  const isEmpty = pending.length === dataSource.migrations.length;
  if (onlyIfEmpty && !isEmpty) {
    if (pending.length > 0) throw new SchemaTooOldError();
    return;
  }
  if (pending.length > 0 && !isEmpty) await beforeChange?.();
  await runPendingMigrations(dataSource, (name) => {
    ran.push(name);
    onMigrated?.(name);
  });
  if (queueInPostgres) await migrateQueueTables(url);
}

async function migrateQueueTables(url: string): Promise<void> {
  const pool = createQueuePool(url, 1);
  try {
    await migrateQueueSchema(pool);
  } finally {
    await pool.end();
  }
}
