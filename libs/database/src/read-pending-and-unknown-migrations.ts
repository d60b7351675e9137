import type { DataSource } from 'typeorm';
import { tableExists } from './query-rows.js';

export interface PendingAndUnknownMigrations {
  /** Migrations of this version that the database lacks, in order. */
  pending: string[];
  /** Migrations of a newer version. */
  unknown: string[];
}

export async function readPendingAndUnknownMigrations(
  dataSource: DataSource,
): Promise<PendingAndUnknownMigrations> {
  const rows = (await tableExists(dataSource, 'schema_migration'))
    ? await dataSource.query<{ name: string }[]>('SELECT name FROM schema_migration ORDER BY id')
    : [];
  const applied = rows.map(({ name }) => name);
  const known = dataSource.migrations.map(({ name, constructor }) => name ?? constructor.name);
  return {
    pending: known.filter((name) => !applied.includes(name)),
    unknown: applied.filter((name) => !known.includes(name)),
  };
}
