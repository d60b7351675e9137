import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { createDataSource, openListenConnection, getPgPool } from '@app/database';
import { Pool } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { JobEventWatcher } from '../../apps/api/src/streaming/job-event-watcher.js';
import { createThrowawayDatabase, type ThrowawayDatabase } from '../support/postgres.js';
import { parseEndpoint, startFaultProxy, urlThroughProxy } from '../support/fault-proxy.js';

const WAIT_OPTIONS = { timeout: 20_000 };

let database: ThrowawayDatabase;
let cleanUp: (() => Promise<unknown> | void)[];
beforeAll(async () => {
  database = await createThrowawayDatabase();
});
afterAll(() => database.drop());
beforeEach(() => void (cleanUp = []));
afterEach(async () => {
  for (const step of cleanUp.toReversed()) await step();
});

function openPool(url: string): Pool {
  const pool = new Pool({ connectionString: url, max: 2 });
  pool.on('error', () => undefined);
  cleanUp.push(() => pool.end());
  return pool;
}

const noCallbacks = { onNotification: () => undefined, onConnectionLost: () => undefined };

describe('openListenConnection', () => {
  it('the listener receives notifications', async () => {
    const pool = openPool(database.url);
    const received: string[] = [];
    const listener = await openListenConnection(pool, 'news', {
      ...noCallbacks,
      onNotification: (payload) => received.push(payload),
    });
    await pool.query(`SELECT pg_notify('news', 'a')`);
    await vi.waitFor(() => expect(received).toEqual(['a']), WAIT_OPTIONS);
    listener.close();
  });

  it('notifications arrive outside the async context of the request that opened the connection', async () => {
    const request = new AsyncLocalStorage<string>();
    const pool = openPool(database.url);
    await request.run('a request', () => pool.query('SELECT 1'));
    const received: unknown[] = [];
    const listener = await openListenConnection(pool, 'news', {
      ...noCallbacks,
      onNotification: () => received.push(request.getStore()),
    });
    expect(pool.totalCount).toBe(1);
    await pool.query(`SELECT pg_notify('news', 'a')`);
    await vi.waitFor(() => expect(received).toEqual([undefined]), WAIT_OPTIONS);
    listener.close();
  });

  it('the listener releases its connection once, however often it is closed', async () => {
    const pool = openPool(database.url);
    const onConnectionLost = vi.fn();
    const listener = await openListenConnection(pool, 'news', { ...noCallbacks, onConnectionLost });
    listener.close();
    listener.close();
    await vi.waitFor(() => expect(pool.totalCount).toBe(0), WAIT_OPTIONS);
    expect(onConnectionLost).not.toHaveBeenCalled();
  });

  it('a listener that cannot subscribe releases its connection', async () => {
    const pool = openPool(database.url);
    for (let attempt = 0; attempt < 4; attempt += 1)
      await expect(openListenConnection(pool, 'not a channel', noCallbacks)).rejects.toThrow();
    await pool.query('SELECT 1');
  });

  it('a terminated connection is reported', async () => {
    const pool = openPool(database.url);
    const onConnectionLost = vi.fn();
    await openListenConnection(pool, 'news', { ...noCallbacks, onConnectionLost });
    await pool.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND query LIKE 'LISTEN%'`,
    );
    await vi.waitFor(() => expect(onConnectionLost).toHaveBeenCalledTimes(1), WAIT_OPTIONS);
  });

  it('a connection that stops answering is reported', async () => {
    const proxy = await startFaultProxy(parseEndpoint(database.url));
    cleanUp.push(proxy.close);
    const pool = openPool(urlThroughProxy(proxy, database.url));
    const onConnectionLost = vi.fn();
    await openListenConnection(
      pool,
      'news',
      { ...noCallbacks, onConnectionLost },
      { pingIntervalMs: 50, responseTimeoutMs: 1_500 },
    );
    proxy.dropTraffic();
    await vi.waitFor(() => expect(onConnectionLost).toHaveBeenCalledTimes(1), WAIT_OPTIONS);
  });
});

describe('JobEventWatcher', () => {
  const connect = () =>
    createDataSource({ url: database.url, poolSize: 3, applicationName: 'watcher' }).initialize();

  it('subscribers are notified after a lost connection, and shutdown releases all connections', async () => {
    const dataSource = await connect();
    const watcher = new JobEventWatcher(dataSource);
    await watcher.onModuleInit();
    const onEvent = vi.fn();
    watcher.watch(randomUUID()).subscribe(onEvent);
    await dataSource.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND query LIKE 'LISTEN%'`,
    );
    await vi.waitFor(() => expect(onEvent).toHaveBeenCalled(), WAIT_OPTIONS);
    await watcher.onModuleDestroy();
    await vi.waitFor(
      () => expect(getPgPool(dataSource).totalCount).toBe(getPgPool(dataSource).idleCount),
      WAIT_OPTIONS,
    );
    await dataSource.destroy();
  });

  it('a subscriber learns the number of the last event, whose notification was lost', async () => {
    const dataSource = await connect();
    const watcher = new JobEventWatcher(dataSource);
    const [job, deletedJob] = [randomUUID(), randomUUID()];
    await dataSource.query('CREATE TABLE job (id uuid, event_seq integer)');
    await dataSource.query('INSERT INTO job VALUES ($1, 3)', [job]);
    await watcher.onModuleInit();
    const [onEvent, onDeletion] = [vi.fn(), vi.fn()];
    watcher.watch(deletedJob).subscribe(onDeletion);
    watcher.watch(job).subscribe(onEvent);
    await vi.waitFor(() => expect(onEvent).toHaveBeenCalled(), WAIT_OPTIONS);
    expect(onEvent).toHaveBeenCalledWith(3);
    expect(onDeletion).toHaveBeenCalledWith(Infinity);
    await watcher.onModuleDestroy();
    await dataSource.destroy();
  });
});
