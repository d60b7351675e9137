import { createDataSource, inTransaction, isDatabaseUnavailableError, getPgPool } from '@app/database';
import type { DataSource, EntityManager } from 'typeorm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createThrowawayDatabase, type ThrowawayDatabase } from '../support/postgres.js';
import { parseEndpoint, startFaultProxy, type FaultProxy, urlThroughProxy } from '../support/fault-proxy.js';

let database: ThrowawayDatabase;
let proxy: FaultProxy;
let dataSource: DataSource;
beforeAll(async () => {
  database = await createThrowawayDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  proxy = await startFaultProxy(parseEndpoint(database.url));
});
afterEach(async () => {
  proxy.close();
  await dataSource.destroy();
});

/** @param queryTimeoutMs longer than a busy machine may pause */
async function connect(queryTimeoutMs: number): Promise<void> {
  const url = urlThroughProxy(proxy, database.url);
  const options = { url, poolSize: 1, applicationName: 'test', statementTimeoutMs: 300, queryTimeoutMs };
  dataSource = await createDataSource(options).initialize();
  await dataSource.query('SELECT 1');
}

const unavailable = { asymmetricMatch: isDatabaseUnavailableError };

describe('a database connection that stopped answering', () => {
  it.each([
    ['a statement', () => dataSource.query('SELECT 1')],
    ['a statement of the pool', () => getPgPool(dataSource).query('SELECT 1')],
    ['a transaction', () => inTransaction(dataSource, (tx) => tx.query('SELECT 1'))],
  ])(
    '%s fails within the timeout as database unavailable, and the connection is not reused',
    async (_, runQuery) => {
      await connect(1_500);
      proxy.dropTraffic();
      await expect(runQuery()).rejects.toEqual(unavailable);
      expect(await dataSource.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
    },
  );
});

describe('a connection that is reset between two statements of a transaction', () => {
  it.each([
    ['the next statement', async (tx: EntityManager) => void (await tx.query('SELECT 2'))],
    ['its commit', () => Promise.resolve()],
  ])('%s fails as database unavailable', async (_, continueTransaction) => {
    await connect(20_000);
    const interrupted = inTransaction(dataSource, async (tx) => {
      await tx.query('SELECT 1');
      proxy.setFault('cut');
      await expect.poll(() => tx.queryRunner?.isReleased).toBe(true);
      await continueTransaction(tx);
    });
    await expect(interrupted).rejects.toEqual(unavailable);
    proxy.setFault('open');
    expect(await dataSource.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });
});

describe('a statement that exceeds the statement timeout', () => {
  it('the server cancels the statement, and the connection stays open', async () => {
    await connect(20_000);
    const pid = () => dataSource.query('SELECT pg_backend_pid() AS pid');
    const previousPid = await pid();
    await expect(dataSource.query('SELECT pg_sleep(20)')).rejects.toEqual(unavailable);
    expect(await pid()).toEqual(previousPid);
  });
});
