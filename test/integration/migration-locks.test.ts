import { createDataSource, listSchemaDriftStatements, readPendingAndUnknownMigrations } from '@app/database';
import { migrateDatabase } from '@app/runtime';
import pg from 'pg';
import type { DataSource } from 'typeorm';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createIndex } from '../../libs/database/src/migrations/create-index.js';
import { MIGRATIONS } from '../../libs/database/src/migrations/index.js';
import { MigrationLadder } from '../support/migration-ladder.js';
import type { ThrowawayDatabase } from '../support/postgres.js';

/** The last migration of version 0.2.0, before the rules for locks. */
const BEFORE = 'PartSize1763880000000';
const WAITS = 'the migration of the database waits for the end of another transaction';

const ladder = new MigrationLadder();
let database: ThrowawayDatabase;
let dataSource: DataSource;
let other: pg.Client;
beforeEach(async () => {
  database = await ladder.createDatabaseAt(BEFORE);
  dataSource = await openDataSource();
  other = new pg.Client(database.url);
  await other.connect();
});
afterEach(async () => {
  await other.end();
  await dataSource.destroy();
  await database.drop();
});
afterAll(() => ladder.drop());

const openDataSource = () =>
  createDataSource({
    url: database.url,
    poolSize: 3,
    applicationName: 'zephyr-test',
    disableTimeouts: true,
  }).initialize();

function startMigration(maxBlockedMs?: number) {
  const info = vi.fn();
  const options = { url: database.url, queueInPostgres: false, logger: { info } };
  const migrating = migrateDatabase(dataSource, {
    ...options,
    ...(maxBlockedMs !== undefined && { maxBlockedMs }),
  });
  migrating.catch(() => undefined);
  return { migrating, info };
}

describe('a migration of a database that is in use', () => {
  it('waits for a transaction that holds a lock, and requests do not wait behind it', async () => {
    await other.query('BEGIN');
    await other.query('SELECT FROM turn');
    const { migrating, info } = startMigration();
    await expect.poll(() => info.mock.calls.flat(), { timeout: 20_000 }).toContain(WAITS);
    await dataSource.query(
      `INSERT INTO turn (queue, account_id, taken_at) VALUES ('chunk', gen_random_uuid(), now())`,
    );
    await other.query('COMMIT');
    expect(await migrating).toContainEqual(expect.stringMatching(/^JobRetention/));
    expect(await readPendingAndUnknownMigrations(dataSource)).toEqual({ pending: [], unknown: [] });
  });

  it('ends with advice when the lock is held for too long', async () => {
    await other.query('BEGIN');
    await other.query('SELECT FROM turn');
    await expect(startMigration(0).migrating).rejects.toThrow('pg_stat_activity');
  });

  it('is awaited by programs that start at the same time, although it creates indexes concurrently', async () => {
    const second = await openDataSource();
    const options = { url: database.url, queueInPostgres: false, logger: { info: () => undefined } };
    const ran = await Promise.all([migrateDatabase(dataSource, options), migrateDatabase(second, options)]);
    await second.destroy();
    expect(ran.filter((names) => names.length > 0)).toHaveLength(1);
  });
});

describe('createIndex', () => {
  it('requests wait only a moment behind the statements after it', async () => {
    const runner = dataSource.createQueryRunner();
    await runner.query(`SET lock_timeout = '2s'`);
    await createIndex(runner, 'account_note', 'ON "account" ("name")');
    expect(await runner.query('SHOW lock_timeout')).toEqual([{ lock_timeout: '2s' }]);
    await runner.release();
  });

  it('writes to the table continue while the index is created, and a broken one is replaced', async () => {
    const runner = dataSource.createQueryRunner();
    await other.query('BEGIN');
    await other.query('LOCK TABLE account IN ROW EXCLUSIVE MODE');
    const creating = createIndex(runner, 'account_note', 'ON "account" ("name")');
    const isWaiting = () =>
      dataSource.query(
        `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE 'CREATE INDEX%'`,
      );
    await expect.poll(isWaiting, { timeout: 10_000 }).toHaveLength(1);
    await dataSource.query(`INSERT INTO account (id, name) VALUES (gen_random_uuid(), 'a')`);
    await other.query('COMMIT');
    await creating;
    await createIndex(runner, 'account_note', 'ON "account" ("name")');
    await runner.release();
    expect(
      await dataSource.query(`SELECT indisvalid FROM pg_index WHERE indexrelid = 'account_note'::regclass`),
    ).toEqual([{ indisvalid: true }]);
  });
});

it('a migration without a transaction can be repeated', async () => {
  const runner = dataSource.createQueryRunner();
  const names = MIGRATIONS.map(({ name }) => name);
  for (const migration of MIGRATIONS.slice(names.indexOf(BEFORE) + 1)) {
    const instance = new migration();
    const isRepeated = instance.transaction === false;
    if (!isRepeated) await runner.startTransaction();
    await instance.up(runner);
    if (isRepeated) await instance.up(runner);
    else await runner.commitTransaction();
  }
  await runner.release();
  expect(await listSchemaDriftStatements(dataSource)).toEqual([]);
});
