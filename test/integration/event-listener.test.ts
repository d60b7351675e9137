import { AsyncLocalStorage } from 'node:async_hooks';
import { createDataSource, openNotificationListener, getPgPool } from '@app/database';
import { Pool } from 'pg';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { EventBridge } from '../../apps/api/src/streaming/event-bridge.js';
import { createThrowawayDatabase, type ThrowawayDatabase } from '../support/postgres.js';
import { parseEndpoint, startFaultProxy, urlThroughProxy } from '../support/fault-proxy.js';

const PATIENCE = { timeout: 20_000 };

let database: ThrowawayDatabase;
let cleanUp: (() => Promise<unknown> | void)[];
beforeEach(async () => {
  database = await createThrowawayDatabase();
  cleanUp = [];
});
afterEach(async () => {
  for (const step of cleanUp.toReversed()) await step();
  await database.drop();
});

function poolAt(url: string): Pool {
  const pool = new Pool({ connectionString: url, max: 2 });
  pool.on('error', () => undefined);
  cleanUp.push(() => pool.end());
  return pool;
}

const silent = { onNotification: () => undefined, onConnectionLost: () => undefined };

describe('openNotificationListener', () => {
  it('the listener receives notifications', async () => {
    const pool = poolAt(database.url);
    const heard: string[] = [];
    const listener = await openNotificationListener(pool, 'news', {
      ...silent,
      onNotification: (payload) => heard.push(payload),
    });
    await pool.query(`SELECT pg_notify('news', 'a')`);
    await vi.waitFor(() => expect(heard).toEqual(['a']), PATIENCE);
    listener.close();
  });

  it('notifications arrive outside the async context of the request that opened the connection', async () => {
    const request = new AsyncLocalStorage<string>();
    const pool = poolAt(database.url);
    await request.run('a request', () => pool.query('SELECT 1'));
    const heard: unknown[] = [];
    const listener = await openNotificationListener(pool, 'news', {
      ...silent,
      onNotification: () => heard.push(request.getStore()),
    });
    expect(pool.totalCount).toBe(1);
    await pool.query(`SELECT pg_notify('news', 'a')`);
    await vi.waitFor(() => expect(heard).toEqual([undefined]), PATIENCE);
    listener.close();
  });

  it('the listener releases its connection once, however often it is closed', async () => {
    const pool = poolAt(database.url);
    const lost = vi.fn();
    const listener = await openNotificationListener(pool, 'news', { ...silent, onConnectionLost: lost });
    listener.close();
    listener.close();
    await vi.waitFor(() => expect(pool.totalCount).toBe(0), PATIENCE);
    expect(lost).not.toHaveBeenCalled();
  });

  it('a listener that cannot subscribe releases its connection', async () => {
    const pool = poolAt(database.url);
    for (let attempt = 0; attempt < 4; attempt += 1)
      await expect(openNotificationListener(pool, 'not a channel', silent)).rejects.toThrow();
    await pool.query('SELECT 1');
  });

  it('a terminated connection is reported', async () => {
    const pool = poolAt(database.url);
    const lost = vi.fn();
    await openNotificationListener(pool, 'news', { ...silent, onConnectionLost: lost });
    await pool.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND query LIKE 'LISTEN%'`,
    );
    await vi.waitFor(() => expect(lost).toHaveBeenCalledTimes(1), PATIENCE);
  });

  it('a connection that stops answering is reported', async () => {
    const way = await startFaultProxy(parseEndpoint(database.url));
    cleanUp.push(way.close);
    const pool = poolAt(urlThroughProxy(way, database.url));
    const lost = vi.fn();
    await openNotificationListener(
      pool,
      'news',
      { ...silent, onConnectionLost: lost },
      { pingIntervalMs: 50, responseTimeoutMs: 1_500 },
    );
    way.dropTraffic();
    await vi.waitFor(() => expect(lost).toHaveBeenCalledTimes(1), PATIENCE);
  });
});

describe('EventBridge', () => {
  it('watchers are woken after a lost connection, and shutdown releases all connections', async () => {
    const dataSource = await createDataSource({
      url: database.url,
      poolSize: 3,
      applicationName: 'bridge',
    }).initialize();
    const bridge = new EventBridge(dataSource);
    await bridge.onModuleInit();
    const woken = vi.fn();
    bridge.wakeUps('job').subscribe(woken);
    await dataSource.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND query LIKE 'LISTEN%'`,
    );
    await vi.waitFor(() => expect(woken).toHaveBeenCalled(), PATIENCE);
    bridge.onModuleDestroy();
    await vi.waitFor(
      () => expect(getPgPool(dataSource).totalCount).toBe(getPgPool(dataSource).idleCount),
      PATIENCE,
    );
    await dataSource.destroy();
  });
});
