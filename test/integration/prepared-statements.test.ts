import { createDataSource, inTransaction, queryPrepared } from '@app/database';
import type { DataSource, EntityManager } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createThrowawayDatabase, type ThrowawayDatabase } from '../support/postgres.js';

const ADD = { name: 'add-word', text: 'INSERT INTO word (text) VALUES ($1) RETURNING text' };
const COUNT = { name: 'count-words', text: 'SELECT count(*) AS n FROM word' };

describe('queryPrepared', () => {
  let database: ThrowawayDatabase;
  let dataSource: DataSource;

  beforeAll(async () => {
    database = await createThrowawayDatabase();
    const options = { url: database.url, poolSize: 3, applicationName: 'zephyr-test' };
    dataSource = await createDataSource(options).initialize();
    await dataSource.query('CREATE TABLE word (text text PRIMARY KEY)');
  });
  afterAll(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  async function countWords(db: EntityManager): Promise<number> {
    const [row] = await queryPrepared<{ n: number }>(db, COUNT, []);
    return row?.n ?? NaN;
  }

  it('the statement runs inside the given transaction', async () => {
    const rolledBack = dataSource.transaction(async (tx) => {
      expect(await queryPrepared(tx, ADD, ['one'])).toEqual([{ text: 'one' }]);
      expect([await countWords(tx), await countWords(dataSource.manager)]).toEqual([1, 0]);
      throw new Error('undo');
    });
    await expect(rolledBack).rejects.toThrow('undo');
    expect(await countWords(dataSource.manager)).toBe(0);
  });

  it('a connection holds one prepared statement, however often it runs', async () => {
    const rows = await dataSource.transaction(async (tx) => {
      for (const text of ['two', 'three', 'four']) await queryPrepared(tx, ADD, [text]);
      return tx.query<{ n: number }[]>(
        `SELECT count(*) AS n FROM pg_prepared_statements WHERE name = 'add-word'`,
      );
    });
    expect(rows).toEqual([{ n: 1 }]);
    expect(await countWords(dataSource.manager)).toBe(3);
  });

  it('the error of the driver is passed on', async () => {
    await expect(queryPrepared(dataSource.manager, ADD, ['two'])).rejects.toMatchObject({ code: '23505' });
  });

  it('a serialization failure restarts the transaction with the statement', async () => {
    const broken = { name: 'break-once', text: `SELECT raise_serialisation_failure()` };
    await dataSource.query(`CREATE FUNCTION raise_serialisation_failure() RETURNS void LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'once more' USING ERRCODE = '40001'; END $$`);
    let tries = 0;
    await inTransaction(dataSource, async (tx) => {
      tries += 1;
      if (tries === 1) await queryPrepared(tx, broken, []);
    });
    expect(tries).toBe(2);
  });
});
