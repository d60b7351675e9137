import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createQueuePool, migrateQueueSchema } from '../../libs/jobs/src/queue/postgres-adapter.js';
import {
  WAIT_FOR_OPTIONS,
  type TestQueueServer,
} from '../../libs/jobs/src/queue/contract-support.contract.js';
import { describeStageQueueContract } from '../../libs/jobs/src/queue/queue.contract.js';
import { type PrivatePostgres, startPrivatePostgres } from '../support/private-postgres.js';
import { NestQueue } from '../support/nest-queue.js';
import { createQueueStore } from '../support/queue-store.js';

const DEADLOCK_DETECTED = '40P01';

/** Tries again after a deadlock: consumers that work at the same time lock the tables in another order. */
async function truncateQueueTables(admin: pg.Pool): Promise<void> {
  for (;;) {
    try {
      await admin.query('TRUNCATE bullmq.job, bullmq.event, bullmq.meta CASCADE');
      return;
    } catch (error) {
      if ((error as { code?: string }).code !== DEADLOCK_DETECTED) throw error;
    }
  }
}

describe('the job queue on Postgres', () => {
  let server: PrivatePostgres;
  let admin: pg.Pool;
  let created: { store: TestQueueServer; remove(): Promise<void> };
  let isStopped = false;
  const logger = { warn: () => {} };
  const endConnections = () =>
    admin.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                 WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'`);

  beforeAll(async () => {
    server = await startPrivatePostgres();
    admin = new pg.Pool({ connectionString: server.url });
    admin.on('error', () => {});
    await migrateQueueSchema(admin);
    created = await createQueueStore(
      { kind: 'postgres', connection: server.url },
      {
        clear: () => truncateQueueTables(admin),
        makeUnavailable: async () => {
          isStopped = true;
          await server.crash();
        },
        freeze: () => server.freeze(),
        thaw: async () => server.thaw(),
        makeAvailable: async () => {
          if (isStopped) await server.start();
          isStopped = false;
        },
      },
    );
  });
  afterAll(async () => {
    await admin.end();
    await created.remove();
    await server.remove();
  });

  describeStageQueueContract('Postgres', () => created.store);

  it('migrateQueueSchema can run repeatedly and concurrently', async () => {
    await Promise.all([migrateQueueSchema(admin), migrateQueueSchema(admin)]);
    const { rows } = await admin.query<{ count: number }>(
      'SELECT count(*)::int AS count FROM bullmq.migration',
    );
    expect(rows[0]?.count).toBeGreaterThan(5);
  });

  it('a consumer continues after all of its connections were terminated', async () => {
    const queue = created.store.open();
    const seen: string[] = [];
    const consumer = await queue.consume('preprocess', 2, async ({ jobId }) => void seen.push(jobId));
    for (const jobId of ['first', 'second', 'third']) {
      await vi.waitFor(() => queue.add([{ queue: 'preprocess', id: jobId, payload: { jobId } }]), {
        timeout: 10_000,
      });
      await vi.waitFor(() => expect(seen.at(-1)).toBe(jobId), WAIT_FOR_OPTIONS);
      await endConnections();
      await vi.waitFor(() => expect(consumer.isConsuming).toBe(true), WAIT_FOR_OPTIONS);
    }
    await queue.close();
  });

  it('closing succeeds while connections are being terminated', async () => {
    for (let round = 0; round < 50; round++) {
      const queue = created.store.open();
      const consumer = await queue.consume('preprocess', 2, async () => {});
      const ended = endConnections();
      await Promise.all([ended, consumer.close(0), queue.close()]);
      expect(consumer.isConsuming).toBe(false);
    }
  });

  it('a consumer continues after its tables were emptied', async () => {
    const queue = created.store.open();
    const seen: string[] = [];
    await queue.consume('preprocess', 2, async ({ jobId }) => void seen.push(jobId));
    await queue.add([{ queue: 'preprocess', id: 'a-1', payload: { jobId: 'before' } }]);
    await vi.waitFor(() => expect(seen).toEqual(['before']), WAIT_FOR_OPTIONS);
    await created.store.clear();
    await queue.add([{ queue: 'preprocess', id: 'a-1', payload: { jobId: 'after' } }]);
    await vi.waitFor(() => expect(seen).toEqual(['before', 'after']), WAIT_FOR_OPTIONS);
    await queue.close();
  });

  it('the event table of BullMQ is trimmed', async () => {
    const queue = created.store.open();
    let seen = 0;
    await queue.consume('preprocess', 8, async () => void seen++);
    const ids = Array.from({ length: 1_500 }, (_, index) => `a-${index}`);
    await queue.add(ids.map((id) => ({ queue: 'preprocess', id, payload: { jobId: 'x' } })));
    await vi.waitFor(() => expect(seen).toBe(ids.length), WAIT_FOR_OPTIONS);
    // Each message writes four events. BullMQ trims them only sometimes.
    const { rows } = await admin.query<{ count: number }>('SELECT count(*)::int AS count FROM bullmq.event');
    expect(rows[0]?.count).toBeLessThan(1_500);
    await queue.close();
  });

  it('a worker that hangs while the server responds is replaced', async () => {
    const warnings: string[] = [];
    const queue = new NestQueue({
      kind: 'postgres',
      connection: server.url,
      logger: { warn: (line) => void warnings.push(line) },
      timings: { idlePollMs: 200, callTimeoutMs: 500, retryDelayMs: 100 },
    });
    const seen: string[] = [];
    const consumer = await queue.consume('preprocess', 2, async ({ jobId }) => void seen.push(jobId));
    const blocker = await admin.connect();
    await blocker.query('BEGIN; LOCK TABLE bullmq.job IN ACCESS EXCLUSIVE MODE');
    await vi.waitFor(() => expect(consumer.isConsuming).toBe(false), WAIT_FOR_OPTIONS);
    await vi.waitFor(() => expect(warnings.join()).toContain('does not respond'), WAIT_FOR_OPTIONS);
    await blocker.query('ROLLBACK');
    blocker.release();
    await vi.waitFor(() => expect(consumer.isConsuming).toBe(true), WAIT_FOR_OPTIONS);
    // Through another queue with the default call timeout.
    const other = created.store.open();
    await other.add([{ queue: 'preprocess', id: 'a-1', payload: { jobId: 'after' } }]);
    await vi.waitFor(() => expect(seen).toEqual(['after']), WAIT_FOR_OPTIONS);
    await other.close();
    await queue.close();
  });

  it('a worker whose claims fail waits between its attempts', async () => {
    const pool = createQueuePool(server.url, 4);
    const retry = 100;
    const queue = new NestQueue({
      kind: 'postgres',
      connection: pool,
      logger,
      timings: { retryDelayMs: retry, idlePollMs: 200 },
    });
    const consumer = await queue.consume('preprocess', 4, async () => {});
    await admin.query('ALTER SCHEMA bullmq RENAME TO hidden');
    await vi.waitFor(() => expect(consumer.isConsuming).toBe(false), WAIT_FOR_OPTIONS);
    const query = vi.spyOn(pool, 'query');
    const listPolls = () => query.mock.calls.filter(([text]) => String(text).includes('move_to_active('));
    const startedAt = performance.now();
    await vi.waitFor(() => expect(listPolls().length).toBeGreaterThanOrEqual(8), WAIT_FOR_OPTIONS);
    expect(performance.now() - startedAt).toBeGreaterThan(6 * retry);
    await admin.query('ALTER SCHEMA hidden RENAME TO bullmq');
    await vi.waitFor(() => expect(consumer.isConsuming).toBe(true), WAIT_FOR_OPTIONS);
    await queue.close();
    await pool.end();
  });

  it('the error of missing tables names the migrate command', async () => {
    await admin.query('CREATE DATABASE empty');
    const queue = new NestQueue({
      kind: 'postgres',
      connection: server.url.replace(/postgres$/, 'empty'),
      logger,
    });
    await expect(queue.ping()).rejects.toThrow(/migrate/);
    await queue.close();
  });

  it('a pool with another search path is rejected, and a given pool stays open after close', async () => {
    const queueOfOtherSchema = new NestQueue({ kind: 'postgres', connection: admin, logger });
    await expect(queueOfOtherSchema.ping()).rejects.toThrow(/search path/);
    await queueOfOtherSchema.close();
    expect((await admin.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);

    const pool = createQueuePool(server.url, 4);
    const shared = [1, 2].map(() => new NestQueue({ kind: 'postgres', connection: pool, logger }));
    await Promise.all(shared.map((queue) => queue.ping()));
    await Promise.all(shared.map((queue) => queue.close()));
    expect(pool.listenerCount('error')).toBe(0);
    await pool.end();
  });
});
