import {
  createJob,
  DEFAULT_OPTIONS,
  type Delivery,
  enqueueJob,
  type JobEffects,
  type JobQueue,
  relayOnce,
  StageRunner,
} from '@app/jobs';
import { CreditEffects, openAccount } from '@app/billing';
import { createDataSource, inTransaction, rowsOf } from '@app/database';
import type { DataSource } from 'typeorm';
import { throwawayDatabase } from './postgres.js';

export interface World {
  /** Of the database. */
  url: string;
  dataSource: DataSource;
  effects: JobEffects;
  accountId: string;
  /** What the relay handed to the queue so far. */
  delivered: Delivery[];
  newJob(options?: { enqueue?: boolean }): Promise<string>;
  relay(): Promise<number>;
  runner(overrides?: { leaseSeconds?: number; maxAttempts?: number; retrySeconds?: number }): StageRunner;
  row<T>(sql: string, ...params: unknown[]): Promise<T | undefined>;
  rows<T>(sql: string, ...params: unknown[]): Promise<T[]>;
  close(): Promise<void>;
}

/** A database with one organisation, and everything that moves a job, but no queue and no processes. */
export async function jobWorld({ credits = 1_000 } = {}): Promise<World> {
  const database = await throwawayDatabase();
  const dataSource = await createDataSource({
    url: database.url,
    poolSize: 30,
    applicationName: 'zephyr-test',
  }).initialize();
  await dataSource.runMigrations({ transaction: 'all' });
  const effects = new CreditEffects(1);
  const accountId = await inTransaction(dataSource, (tx) => openAccount(tx, 'test', credits));
  const delivered: Delivery[] = [];
  const queue = {
    add: async (deliveries: Delivery[]) => void delivered.push(...deliveries),
  } as unknown as JobQueue;
  const rows = <T>(sql: string, ...params: unknown[]) => rowsOf<T>(dataSource, sql, params);
  return {
    url: database.url,
    dataSource,
    effects,
    accountId,
    delivered,
    rows,
    row: async <T>(sql: string, ...params: unknown[]) => (await rows<T>(sql, ...params))[0],
    newJob: ({ enqueue = true } = {}) =>
      inTransaction(dataSource, async (tx) => {
        const { id } = await createJob(tx, {
          accountId,
          source: 'upload',
          options: DEFAULT_OPTIONS,
          audioUrl: null,
          contentType: 'application/octet-stream',
          uploadSeconds: 3600,
          deadlineSeconds: 3600,
        });
        if (enqueue) await enqueueJob(tx, id, { deadlineSeconds: 3600, stored: { size: 10, etag: 'e' } });
        return id;
      }),
    relay: () => relayOnce(dataSource, queue),
    runner: ({ leaseSeconds = 10, maxAttempts = 3, retrySeconds = 0 } = {}) =>
      new StageRunner({
        dataSource,
        effects,
        leaseSeconds,
        maxAttempts,
        retrySeconds,
        logger: { warn: () => undefined },
        committed: () => undefined,
      }),
    close: async () => {
      await dataSource.destroy();
      await database.drop();
    },
  };
}
