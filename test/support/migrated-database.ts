import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { createDataSource } from '@app/database';
import { createThrowawayDatabase, type DatabaseTemplateRecipe, type ThrowawayDatabase } from './postgres.js';

const MIGRATIONS = new URL('../../libs/database/src/migrations/', import.meta.url);

let template: Promise<DatabaseTemplateRecipe> | undefined;

/** A database with all tables: a copy, because migrating takes much longer. Tests of the migrations run them. */
export async function createMigratedDatabase(): Promise<ThrowawayDatabase> {
  template ??= createTemplate();
  return createThrowawayDatabase(await template);
}

/** The server outlives a run, so the key depends on what the migrations are. */
async function createTemplate(): Promise<DatabaseTemplateRecipe> {
  const hash = createHash('sha256');
  for (const name of (await readdir(MIGRATIONS)).toSorted())
    hash.update(name).update(await readFile(new URL(name, MIGRATIONS)));
  return { key: `migrated ${hash.digest('hex')}`, prepare: migrate };
}

async function migrate(url: string): Promise<void> {
  const options = { url, poolSize: 1, applicationName: 'zephyr-test', disableTimeouts: true };
  const dataSource = await createDataSource(options).initialize();
  try {
    await dataSource.runMigrations({ transaction: 'each' });
  } finally {
    await dataSource.destroy();
  }
}
