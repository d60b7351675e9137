import type { StageName } from '@app/jobs';
import type { QueryRunner } from 'typeorm';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createJobWorld, type World } from '../support/job-world.js';
import { SHORT_TRANSCRIPTION, ShortRecordingStages } from '../support/short-recording-stages.js';
import { createThrowawayStore, type ThrowawayStore } from '../support/throwaway-store.js';

const { signal } = new AbortController();
const LEASE_SECONDS = 3;

let world: World;
let files: ThrowawayStore;
beforeAll(async () => {
  [world, files] = await Promise.all([createJobWorld(), createThrowawayStore()]);
});
afterAll(async () => {
  await files.close();
  await world.close();
});

/** Locks the row until another transaction has waited for it for longer than a lease. */
async function holdRowLongerThanLease(lock: string, id: string): Promise<() => Promise<void>> {
  const runner: QueryRunner = world.dataSource.createQueryRunner();
  await runner.startTransaction();
  await runner.query(`${lock} FOR UPDATE`, [id]);
  const waiters = () =>
    world.rows(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
       AND xact_start < clock_timestamp() - make_interval(secs => $1)`,
      LEASE_SECONDS,
    );
  return async () => {
    await expect.poll(waiters, { timeout: 20_000, interval: 20 }).not.toEqual([]);
    await runner.commitTransaction();
    await runner.release();
  };
}

const readLease = async (id: string, name: StageName) =>
  (
    await world.row<{ left: number }>(
      `SELECT extract(epoch FROM lease_until - clock_timestamp())::float8 AS left
       FROM job_stage WHERE job_id = $1 AND name = $2`,
      ...[id, name],
    )
  )?.left;

it('the lease of a chunk that follows begins after its transaction has waited for the account', async () => {
  const id = await world.newJob();
  const lease = vi.fn<(seconds: number | undefined) => void>();
  const stages = new ShortRecordingStages({
    ...{ world, store: files.store, runner: world.runner({ leaseSeconds: LEASE_SECONDS }) },
    transcribe: async () => {
      lease(await readLease(id, 'chunk:0'));
      return SHORT_TRANSCRIPTION;
    },
  });
  const release = await holdRowLongerThanLease('SELECT FROM account WHERE id = $1', world.accountId);
  const running = world.run(id, 'preprocess', signal, stages.preprocess, world.runner({ leaseSeconds: 60 }));
  await release();
  expect(await running).toBe('committed');
  await stages.waitUntilIdle();
  expect(lease.mock.calls[0]?.[0]).toBeGreaterThan(LEASE_SECONDS / 2);
});

it('the lease of aggregation begins after the transaction of the last chunk has waited for the job', async () => {
  const id = await world.newJob();
  const runner = world.runner({ leaseSeconds: LEASE_SECONDS });
  const stages = new ShortRecordingStages({ world, store: files.store, runner, chunks: 2 });
  while (stages.slots.tryTake() !== null);
  await world.run(id, 'preprocess', signal, stages.preprocess);
  const lease = vi.fn<(seconds: number | undefined) => void>();
  const aggregate = stages.aggregation.work.bind(stages.aggregation);
  vi.spyOn(stages.aggregation, 'work').mockImplementation(async (...given) => {
    lease(await readLease(id, 'aggregation'));
    return aggregate(...given);
  });
  await world.run(id, 'chunk:0', signal, stages.transcribeAndGoOn);
  await world.rows(`UPDATE job_stage SET due_at = now() WHERE job_id = $1 AND name = 'chunk:1'`, id);
  const release = await holdRowLongerThanLease('SELECT FROM job WHERE id = $1', id);
  const running = world.runner({ leaseSeconds: 60 }).run('chunk', signal, stages.transcribeAndGoOn);
  await release();
  expect(await running).toBe('committed');
  await stages.waitUntilIdle();
  expect(lease.mock.calls[0]?.[0]).toBeGreaterThan(LEASE_SECONDS / 2);
});
