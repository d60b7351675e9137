import {
  getSqlState,
  isRollingMigration,
  listSchemaDriftStatements,
  readPendingAndUnknownMigrations,
} from '@app/database';
import { migrateDatabase, SchemaTooNewError } from '@app/runtime';

import { Command } from 'nest-commander';
import type { DataSource } from 'typeorm';
import { runAndRecordOperatorAction } from '../operator-audit.js';
import { WithOptions, OperatorCommand } from '../operator-command.js';
import { CommandError, type JsonOption, printResult, formatTable } from '../output.js';

/** SQLSTATE codes. */
const UNDEFINED_TABLE = '42P01';
const UNDEFINED_COLUMN = '42703';

@Command({ name: 'migrate', description: 'bring the database schema up to date' })
@WithOptions(
  {
    flags: '--plan',
    description: 'only list the migrations that would run, and whether programs may keep running',
  },
  { flags: '--drift', description: 'only compare the entities with the schema; for developers' },
)
export class MigrateCommand extends OperatorCommand {
  async run(_: string[], options: JsonOption & { drift?: boolean; plan?: boolean }): Promise<void> {
    if (options.drift) return this.drift(options);
    if (options.plan) return this.plan(options);
    const { dataSource, bootContext } = await this.context.openToMigrate();
    // Commands log warnings only, and this one may wait for minutes.
    const logger = bootContext.logger.child({}, { level: 'info' });
    const migrate = () =>
      migrateDatabase(dataSource, {
        url: bootContext.databaseUrl,
        queueInPostgres: bootContext.config.queue.redisUrl === undefined,
        logger,
        onMigrated: (name) => logger.info({ migration: name }, 'migration finished'),
      });
    const { pending } = await readPendingAndUnknownMigrations(dataSource);
    const applied =
      pending.length > 0 ? await recordMigration(dataSource, pending, migrate) : await migrate();
    const { length: known } = dataSource.migrations;
    printResult(options, { applied, known }, () => `Schema up to date (${known} migrations).`);
  }

  /** Fails when a newer version has migrated the database. */
  private async plan(options: JsonOption): Promise<void> {
    const { dataSource } = await this.context.openWithoutMigrating();
    const { pending, unknown } = await readPendingAndUnknownMigrations(dataSource);
    if (unknown.length > 0) throw new SchemaTooNewError(unknown);
    const migrations = pending.map((name) => ({ name, rolling: isRollingMigration(name) }));
    const stopFirst = migrations.some(({ rolling }) => !rolling);
    printResult(options, { pending: migrations, stop_first: stopFirst }, () =>
      formatPlan(migrations, stopFirst),
    );
  }

  /** Fails when the entities say something else than the migrations made. */
  private async drift(options: JsonOption): Promise<void> {
    const { dataSource } = await this.context.openWithoutMigrating();
    const statements = await listSchemaDriftStatements(dataSource);
    printResult(options, { statements }, () => statements.join(';\n') || 'Migrations and entities agree.');
    if (statements.length > 0)
      throw new CommandError('The entities differ from the schema that the migrations create.');
  }
}

/** Not in the transaction of a migration: each has its own, and some have none. */
function recordMigration(
  dataSource: DataSource,
  pending: string[],
  migrate: () => Promise<string[]>,
): Promise<string[]> {
  const entry = { accountId: null, action: 'schema.migrated', details: { migrations: pending } } as const;
  const describeApplied = (migrations: string[]) => ({ migrations });
  return runAndRecordOperatorAction(dataSource, entry, migrate, describeApplied, isLogMissingOrOlder);
}

/** The table of the log is itself made by a migration, and may be older than this version. */
function isLogMissingOrOlder(error: unknown): boolean {
  const code = getSqlState(error);
  return code === UNDEFINED_TABLE || code === UNDEFINED_COLUMN;
}

function formatPlan(migrations: { name: string; rolling: boolean }[], stopFirst: boolean): string {
  if (migrations.length === 0) return 'Schema up to date: nothing would run.';
  const table = formatTable(migrations, {
    MIGRATION: 'name',
    'PROGRAMS OF THE EARLIER VERSION': ({ rolling }) => (rolling ? 'may keep running' : 'stop them first'),
  });
  const advice = stopFirst
    ? 'Stop every program of the earlier version before the first of this one starts, or before `migrate`.'
    : 'Programs of the earlier version may keep running, and be restarted one after the other.';
  return `${table}\n\n${advice}`;
}
