import {
  createJobAndEnqueueIfUrl,
  type QueueMessage,
  type QueueName,
  enqueueJob,
  type JobHooks,
  type StageQueues,
  type OutboxMessage,
  relayOutboxBatch,
  type StageName,
  getStageQueue,
  StageRunner,
  type StageHandler,
  JobSweeper,
} from '@app/jobs';
import { CreditJobHooks, createAccount } from '@app/billing';
import { createDataSource, inTransaction, queryRows } from '@app/database';
import type { DataSource } from 'typeorm';
import { expect } from 'vitest';
import { createMigratedDatabase } from './migrated-database.js';
import { buildUploadJob } from './new-job.js';

export interface World {
  /** URL of the database. */
  url: string;
  dataSource: DataSource;
  hooks: JobHooks;
  /** Of an account that every `clear` creates anew. */
  readonly accountId: string;
  /** The messages that the relay has added to the queue so far. */
  relayedMessages: QueueMessage[];
  /** @param options.of the account, if not `accountId` */
  newJob(options?: { enqueue?: boolean; of?: string; metadata?: Record<string, string> }): Promise<string>;
  newAccount(): Promise<string>;
  relay(): Promise<number>;
  runner(overrides?: {
    leaseSeconds?: number;
    stageTimeoutSeconds?: number;
    maxAttempts?: number;
    maxCrashes?: number;
    maxRunningPerAccount?: Partial<Record<QueueName, number>>;
    retrySeconds?: number;
    committed?: (messages: readonly OutboxMessage[]) => void;
    logger?: { info(message: string, context: object): void; warn(message: string, context: object): void };
  }): StageRunner;
  /** Expires the lease of the job and runs a sweep, as after the death of its processor. */
  loseLease(jobId: string): Promise<void>;
  /** Claims and runs this stage; all other open stages are never due again. */
  run(
    jobId: string,
    name: StageName,
    stop: AbortSignal,
    work: StageHandler,
    runner?: StageRunner,
  ): ReturnType<StageRunner['run']>;
  /** Resolves when a transaction of this database waits for the lock of another. */
  waitForBlockedTransaction(): Promise<void>;
  row<T>(sql: string, ...params: unknown[]): Promise<T | undefined>;
  rows<T>(sql: string, ...params: unknown[]): Promise<T[]>;
  /** Makes the world like a new one. Not for tests that change the schema or depend on the pages of tables. */
  clear(): Promise<void>;
  close(): Promise<void>;
}

const MAKE_ONLY_STAGE_DUE = `
  UPDATE job_stage SET due_at = CASE WHEN job_id = $1 AND name = $2 THEN now() ELSE 'infinity' END
  WHERE state = 'pending' AND (due_at > now()) = (job_id = $1 AND name = $2)`;

/** Without triggers and foreign keys, so in any order. */
const DELETE_ALL_ROWS = `
  DO $$
  DECLARE
    name text;
  BEGIN
    SET LOCAL session_replication_role = replica;
    FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'schema_migration' LOOP
      EXECUTE format('DELETE FROM %I', name);
    END LOOP;
  END $$`;

/** As of a queue that has lost its messages. */
export const EMPTY_QUEUE = { counts: async () => ({ waiting: 0, active: 0 }) };

const BLOCKED_BACKENDS = `
  SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;

/** A database with one account, and the services that process jobs, without a queue or processes. */
export async function createJobWorld({ credits = 1_000 } = {}): Promise<World> {
  const database = await createMigratedDatabase();
  const dataSource = await createDataSource({
    url: database.url,
    poolSize: 30,
    applicationName: 'zephyr-test',
  }).initialize();
  const hooks = new CreditJobHooks(1);
  const newAccount = () => inTransaction(dataSource, (tx) => createAccount(tx, 'test', credits));
  let accountId = await newAccount();
  const delivered: QueueMessage[] = [];
  const queue = {
    add: async (deliveries: QueueMessage[]) => void delivered.push(...deliveries),
  } as unknown as StageQueues;
  const rows = <T>(sql: string, ...params: unknown[]) => queryRows<T>(dataSource, sql, params);
  const runner: World['runner'] = ({
    leaseSeconds = 10,
    stageTimeoutSeconds = 60,
    maxAttempts = 3,
    maxCrashes = 10,
    maxRunningPerAccount = {},
    retrySeconds = 0,
    committed = () => undefined,
    logger = { info: () => undefined, warn: () => undefined },
  } = {}) =>
    new StageRunner({
      dataSource,
      hooks,
      leaseSeconds,
      stageTimeoutSeconds,
      maxAttempts,
      maxCrashes,
      maxRunningPerAccount,
      retryDelaySeconds: retrySeconds,
      logger,
      onCommitted: committed,
    });
  return {
    url: database.url,
    dataSource,
    hooks,
    get accountId() {
      return accountId;
    },
    newAccount,
    relayedMessages: delivered,
    rows,
    row: async <T>(sql: string, ...params: unknown[]) => (await rows<T>(sql, ...params))[0],
    newJob: ({ enqueue = true, of = accountId, metadata } = {}) =>
      inTransaction(dataSource, async (tx) => {
        const job = buildUploadJob({ accountId: of, ...(metadata && { metadata }) });
        const id = await createJobAndEnqueueIfUrl(tx, job);
        if (enqueue)
          await enqueueJob(tx, id, { deadlineSeconds: 3600, storedObject: { size: 10, etag: 'e' } });
        return id;
      }),
    relay: () => relayOutboxBatch(dataSource, queue),
    runner,
    loseLease: async (jobId) => {
      await rows(`UPDATE job_stage SET lease_until = now() - interval '1 second' WHERE job_id = $1`, jobId);
      await new JobSweeper(dataSource, hooks, EMPTY_QUEUE, {
        redeliverSeconds: 3600,
        leaseSeconds: 10,
      }).sweep();
    },
    run: async (jobId, name, stop, work, by = runner()) => {
      await rows(MAKE_ONLY_STAGE_DUE, jobId, name);
      return by.run(getStageQueue(name), stop, work);
    },
    waitForBlockedTransaction: () =>
      expect.poll(() => rows(BLOCKED_BACKENDS), { timeout: 10_000, interval: 5 }).not.toEqual([]),
    clear: async () => {
      await rows(DELETE_ALL_ROWS);
      delivered.length = 0;
      accountId = await newAccount();
    },
    close: async () => {
      await dataSource.destroy();
      await database.drop();
    },
  };
}
