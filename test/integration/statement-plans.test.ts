import { createDataSource, inTransaction, queryRows } from '@app/database';
import { type ClaimedStage, DEFAULT_JOB_OPTIONS, StageRunner } from '@app/jobs';
import type { DataSource } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createJobWorld, type World } from '../support/job-world.js';

/** Postgres plans a prepared statement for its values this often, then decides whether one plan serves all values. */
const FIRST_PLANS = 5;
const CALLS = 12;

let world: World;
/** With one connection, which prepares each statement once. */
let dataSource: DataSource;
beforeAll(async () => {
  world = await createJobWorld();
  const options = { url: world.url, poolSize: 1, applicationName: 'zephyr-test' };
  dataSource = await createDataSource(options).initialize();
});
afterAll(async () => {
  await dataSource.destroy();
  await world.close();
});

describe('the statement that adds the first chunks of a recording', () => {
  it('is planned only for its first calls', async () => {
    const runner = new StageRunner({
      ...{ dataSource, hooks: world.hooks, onCommitted: () => undefined },
      ...{ leaseSeconds: 10, stageTimeoutSeconds: 60, maxAttempts: 3, maxCrashes: 10, retryDelaySeconds: 0 },
      logger: { info: () => undefined, warn: () => undefined },
    });
    const chunk = { name: 'chunk:0' as const, chunkIndex: 0, input: { key: 'k', start: 0, end: 1 } };
    for (let call = 0; call < CALLS; call += 1) {
      const jobId = await world.newJob();
      const job = { options: DEFAULT_JOB_OPTIONS } as ClaimedStage['job'];
      const stage = { jobId, accountId: world.accountId, name: 'preprocess', job } as ClaimedStage;
      const getClaimed = await inTransaction(dataSource, (tx) =>
        runner.addFirstChunks(tx, stage, [chunk], { duration: 1, maxClaimed: 1 }),
      );
      expect(getClaimed()).toMatchObject([{ jobId, name: 'chunk:0', fence: 0, attempts: 1 }]);
    }
    const plans = await queryRows(
      dataSource,
      `SELECT custom_plans AS own, generic_plans AS shared FROM pg_prepared_statements
       WHERE name LIKE '%insert-first-chunks'`,
    );
    expect(plans).toEqual([{ own: FIRST_PLANS, shared: CALLS - FIRST_PLANS }]);
  });
});
