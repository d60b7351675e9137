import { createDataSource, listSchemaDriftStatements } from '@app/database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createThrowawayDatabase, type ThrowawayDatabase } from '../support/postgres.js';

let database: ThrowawayDatabase;

beforeAll(async () => {
  database = await createThrowawayDatabase();
});
afterAll(() => database.drop());

describe('the webhook tables', () => {
  it('migrations create the tables as the entities define them and can be reverted', async () => {
    const dataSource = createDataSource({ url: database.url, poolSize: 2, applicationName: 'test' });
    await dataSource.initialize();
    try {
      await dataSource.runMigrations({ transaction: 'each' });
      expect(await listSchemaDriftStatements(dataSource)).toEqual([]);
      for (const _ of dataSource.migrations) await dataSource.undoLastMigration();
      expect(await dataSource.query(`SELECT 1 FROM pg_class WHERE relname LIKE 'webhook%'`)).toEqual([]);
    } finally {
      await dataSource.destroy();
    }
  });
});
