import { CreditJobHooks } from '@app/billing';
import {
  createDataSource,
  inTransaction,
  listSchemaDriftStatements,
  readPendingAndUnknownMigrations,
} from '@app/database';
import { buildFailedOutcome, getJob, endJob, readJobEvents } from '@app/jobs';
import { listWebhookDeliveriesForOperator } from '@app/webhooks';
import type { DataSource } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  openDatabaseAtMigration,
  type OlderSchemaRows,
  RELEASE_0_1_0,
  insertOlderSchemaRows,
} from '../support/older-schema-rows.js';
import { createThrowawayDatabase, type ThrowawayDatabase } from '../support/postgres.js';

let database: ThrowawayDatabase;
let db: DataSource;
let rows: OlderSchemaRows;

beforeAll(async () => {
  database = await createThrowawayDatabase();
  const older = await openDatabaseAtMigration(database.url, RELEASE_0_1_0);
  rows = await insertOlderSchemaRows(older, 'fingerprint');
  await older.destroy();
  db = createDataSource({ url: database.url, poolSize: 2, applicationName: 'test' });
  await db.initialize();
  await db.runMigrations({ transaction: 'each' });
});
afterAll(async () => {
  await db?.destroy();
  await database?.drop();
});

describe('a database of version 0.1.0 after migration', () => {
  it('the schema equals that of this version', async () => {
    expect(await readPendingAndUnknownMigrations(db)).toEqual({ pending: [], unknown: [] });
    expect(await listSchemaDriftStatements(db)).toEqual([]);
  });

  it('jobs, their events and their webhook deliveries are preserved', async () => {
    const { account, completed, open, delivery } = rows;
    expect(await getJob(db, account, completed)).toMatchObject({
      status: 'completed',
      resultKey: `transcripts/${completed}/f1/transcript.json`,
      metadata: {},
      declaredSize: null,
    });
    expect(await getJob(db, account, open)).toMatchObject({ status: 'processing', queued: true });
    expect(await readJobEvents(db, account, completed, 0)).toHaveLength(1);
    expect(await listWebhookDeliveriesForOperator(db, null)).toMatchObject([
      { id: delivery, state: 'pending', attempts: 1 },
    ]);
  });

  it('an open job can be ended', async () => {
    const hooks = new CreditJobHooks(1);
    const all = {
      canAfford: async () => true,
      holdCredits: async () => true,
      holdCreditsOrFailCommit: async () => undefined,
      computeCharge: async () => null,
      onJobEnd: hooks.onJobEnd.bind(hooks),
    };
    await inTransaction(db, (tx) => endJob(tx, all, rows.open, buildFailedOutcome('preprocess', 'no audio')));
    expect(await getJob(db, rows.account, rows.open)).toMatchObject({ status: 'failed' });
  });
});
