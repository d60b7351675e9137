import { createDataSource, withAdvisoryLock } from '@app/database';
import pg from 'pg';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createQueuePool } from '../../libs/jobs/src/queue/postgres-adapter.js';
import { createThrowawayDatabase, type ThrowawayDatabase } from '../support/postgres.js';

let database: ThrowawayDatabase;
beforeAll(async () => void (database = await createThrowawayDatabase()));
afterAll(() => database.drop());

const SHOW = `SELECT current_setting('tcp_keepalives_idle') AS idle, current_setting('tcp_keepalives_count') AS count,
  current_setting('tcp_user_timeout') AS unacknowledged`;
const PROBED = [{ idle: '10', count: '3', unacknowledged: '40000' }];

it('the server probes the connections of programs and queues, so that sessions of lost hosts end', async () => {
  const url = new URL(database.url);
  expect(url.hostname, 'keep-alive needs TCP').not.toBe('');
  const dataSource = createDataSource({ url: database.url, poolSize: 1, applicationName: 'test' });
  await dataSource.initialize();
  expect(await dataSource.query(SHOW)).toEqual(PROBED);
  await dataSource.destroy();
  const queue = createQueuePool(database.url, 1);
  expect((await queue.query(SHOW)).rows).toEqual(PROBED);
  await queue.end();
});

it('a program that waits for a lock of another one says so', async () => {
  const dataSource = createDataSource({ url: database.url, poolSize: 1, applicationName: 'test' });
  await dataSource.initialize();
  const other = new pg.Client(database.url);
  await other.connect();
  await other.query('SELECT pg_advisory_lock(17)');
  const onLongWait = vi.fn();
  const locked = withAdvisoryLock(dataSource, 17, async () => 'done', onLongWait);
  await expect.poll(() => onLongWait.mock.calls, { timeout: 20_000 }).toHaveLength(1);
  await other.query('SELECT pg_advisory_unlock(17)');
  expect(await locked).toBe('done');
  await other.end();
  await dataSource.destroy();
});
