import { CONNECTION_IDLE_TIMEOUT_MS, probeClientFromServer, TCP_KEEP_ALIVE_DELAY_MS } from '@app/database';
import { createPostgresBackend, runMigrations, type PgPool } from 'bullmq';
import pg from 'pg';
import type { QueueOutageLog } from './queue-outage-log.js';
import type { PostgresQueueOptions, QueueTimings } from './queue-options.js';
import type { QueueServerAdapter } from './queue-server-connection.js';

const SCHEMA = 'bullmq';
/** Connections of one process. */
export const QUEUE_POOL_SIZE = 10;

/**
 * The search path must be the schema of the queue only: statements of BullMQ name no schema, and the table
 * `job` exists in both. Every consumer occupies one of the `max` connections.
 */
export function createQueuePool(connectionString: string, max = QUEUE_POOL_SIZE): pg.Pool {
  return new pg.Pool({
    connectionString,
    max,
    options: `-c search_path=${SCHEMA}`,
    application_name: 'zephyr-queue',
    connectionTimeoutMillis: 2_000,
    query_timeout: 10_000,
    idleTimeoutMillis: CONNECTION_IDLE_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: TCP_KEEP_ALIVE_DELAY_MS,
    verify: probeClientFromServer,
  });
}

/** Safe to call from several processes at once. */
export async function migrateQueueSchema(pool: pg.Pool): Promise<void> {
  const client = await pool.connect();
  try {
    await runMigrations(client, SCHEMA);
  } finally {
    client.release();
  }
}

export function createPostgresQueueAdapter(
  options: PostgresQueueOptions,
  timings: QueueTimings,
  outage: QueueOutageLog,
): QueueServerAdapter {
  const ownPool = typeof options.connection === 'string' ? createQueuePool(options.connection) : undefined;
  const pool = ownPool ?? (options.connection as pg.Pool);
  const onError = (error: Error) => outage.reportError(error);
  pool.on('error', onError);
  pool.on('connect', addErrorListener);
  const connection = wrapPool(pool, onError);

  return {
    createBackend: (name, opts, flags) => createPostgresBackend(name, { ...opts, connection }, flags),
    ping: () => assertSchemaReady(pool, timings.callTimeoutMs),
    close: async () => {
      // An own pool keeps the listener, because its connections may still fail while they are closed.
      if (ownPool) await ownPool.end();
      else pool.off('error', onError).off('connect', addErrorListener);
    },
  };
}

/**
 * BullMQ adds a pool listener for every queue without removing it, and briefly leaves a borrowed connection
 * without an error listener, when a lost connection would end the process.
 */
function wrapPool(pool: pg.Pool, onError: (error: Error) => void): PgPool & { options: pg.PoolOptions } {
  return {
    options: pool.options,
    query: <R>(text: string, params?: readonly unknown[]) =>
      pool.query<R & pg.QueryResultRow>(text, params && [...params]),
    connect: async () => {
      const client = await pool.connect();
      return preserveErrorListener(client, onError);
    },
    end: async () => {},
    on() {
      return this;
    },
    removeAllListeners() {
      return this;
    },
  };
}

/**
 * A new connection can fail between the pool and the caller, without a listener; that error would end the
 * process.
 */
function addErrorListener(client: pg.PoolClient): void {
  client.on('error', () => undefined);
}

/** BullMQ removes all listeners of a connection that it closes; a later error would end the process. */
function preserveErrorListener(client: pg.PoolClient, onError: (error: Error) => void): pg.PoolClient {
  const ensureErrorListener = () => {
    if (!client.listeners('error').includes(onError)) client.on('error', onError);
  };
  const removeAll = client.removeAllListeners.bind(client);
  client.removeAllListeners = (event?: string | symbol) => {
    removeAll(event);
    ensureErrorListener();
    return client;
  };
  ensureErrorListener();
  return client;
}

async function assertSchemaReady(pool: pg.Pool, timeoutMs: number): Promise<void> {
  const { rows } = await pool.query<{ path: string; migrated: boolean }>({
    text: `SELECT current_setting('search_path') AS path, to_regclass('${SCHEMA}.migration') IS NOT NULL AS migrated`,
    query_timeout: timeoutMs,
  } as pg.QueryConfig);
  const found = rows[0];
  if (!found?.migrated) throw new Error('the queue tables are missing: run the migrate command');
  if (found.path.replaceAll('"', '') !== SCHEMA) {
    throw new Error(
      `the search path of the pool is ${found.path}, not ${SCHEMA}: make it with createQueuePool`,
    );
  }
}
