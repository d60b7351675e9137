import { inTransaction } from '@app/database';
import { addOrRestartStages, type StageName, type StageRunner, type StageHandler } from '@app/jobs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { JobRows } from '../support/job-rows.js';
import { createJobWorld, type World } from '../support/job-world.js';
import { ROW_INVARIANTS } from '../support/invariants/row-invariants.js';
import { type ShortRecordingOptions, ShortRecordingStages } from '../support/short-recording-stages.js';
import { createThrowawayStore, type ThrowawayStore } from '../support/throwaway-store.js';

const { signal } = new AbortController();

let world: World;
let files: ThrowawayStore;
let job: JobRows;
beforeAll(async () => {
  [world, files] = await Promise.all([createJobWorld(), createThrowawayStore()]);
  job = new JobRows(world);
});
afterAll(async () => {
  await files.close();
  await world.close();
});
beforeEach(async () => {
  await world.rows('DELETE FROM job');
  await world.rows('DELETE FROM outbox');
});

const createStages = (options: Partial<ShortRecordingOptions> = {}) =>
  new ShortRecordingStages({ world, store: files.store, runner: world.runner(), chunks: 3, ...options });
const run = (id: string, name: StageName, work: StageHandler, by?: StageRunner) =>
  world.run(id, name, signal, work, by);
const listMessages = () =>
  world.rows<{ id: string }>('SELECT delivery_id AS id FROM outbox ORDER BY delivery_id');

/** Runs preprocess, and then every chunk but the last one as consumers do. */
async function runUpToLastChunk(id: string, stages: ShortRecordingStages, by?: StageRunner): Promise<void> {
  while (stages.slots.tryTake() !== null);
  expect(await run(id, 'preprocess', stages.preprocess, by)).toBe('committed');
  for (const name of ['chunk:0', 'chunk:1'] as const) {
    await world.rows(`UPDATE job_stage SET due_at = now() WHERE job_id = $1 AND name = $2`, id, name);
    expect(await run(id, name, stages.transcribeAndGoOn, by)).toBe('committed');
  }
  await world.rows(`UPDATE job_stage SET due_at = now() WHERE job_id = $1 AND name = 'chunk:2'`, id);
  await world.rows('DELETE FROM outbox');
}

async function expectInvariants(): Promise<void> {
  await world.rows('DELETE FROM outbox');
  for (const { invariant, violationsQuery } of ROW_INVARIANTS)
    expect(await world.rows(violationsQuery), invariant).toEqual([]);
}

describe('a recording of several chunks', () => {
  it('is transcribed by the process that split it, as far as it has slots; other chunks get messages', async () => {
    const id = await world.newJob();
    await world.rows('DELETE FROM outbox');
    const stages = createStages({ slots: 2 });
    expect(await run(id, 'preprocess', stages.preprocess)).toBe('committed');
    expect(await listMessages()).toEqual([{ id: `${id}-chunk-2-f0` }]);
    await stages.waitUntilIdle();
    expect(stages.reports).toMatchObject([
      { queue: 'chunk', outcome: 'done' },
      { queue: 'chunk', outcome: 'done' },
    ]);
    expect(await job.stageNames(id, 'done')).toEqual(['chunk:0', 'chunk:1', 'preprocess']);
    expect(await job.progressEvents(id)).toHaveLength(2);
    expect(await job.stageNames(id, 'pending')).toEqual(['chunk:2']);
  });

  it('ends in the process that transcribed its last chunk, without a further message', async () => {
    const id = await world.newJob();
    const stages = createStages();
    await runUpToLastChunk(id, stages);
    expect(await run(id, 'chunk:2', stages.transcribeAndGoOn)).toBe('committed');
    await stages.waitUntilIdle();
    expect(await listMessages()).toEqual([]);
    expect(stages.reports).toMatchObject([{ queue: 'aggregation', outcome: 'done', waitMs: 0 }]);
    expect(await job.finalState(id)).toEqual({ status: 'completed', failed_stage: null });
    expect(await job.ledgerEntries(id)).toEqual(['hold -8', 'release 8', 'capture -8']);
    expect(stages.aggregationSlots.tryTake()).not.toBeNull();
    // The fence is that of the first claim of a queued stage: the transcript has a key of its own.
    expect(await world.row('SELECT result_key LIKE $2 AS own FROM job WHERE id = $1', id, '%/f1/%')).toEqual({
      own: true,
    });
    await expectInvariants();
  });
});

describe('aggregation is queued after the last chunk', () => {
  async function expectQueued(id: string, stages: ShortRecordingStages, by?: StageRunner): Promise<void> {
    await world.rows(`UPDATE job_stage SET due_at = now() WHERE job_id = $1 AND name = 'chunk:2'`, id);
    expect(await (by ?? world.runner()).run('chunk', signal, stages.transcribeAndGoOn)).toBe('committed');
    await stages.waitUntilIdle();
    expect(await job.stageNames(id, 'pending')).toEqual(['aggregation']);
    expect(
      await world.rows('SELECT FROM outbox WHERE delivery_id = $1', `${id}-aggregation-f0`),
    ).toHaveLength(1);
  }

  it('while the process assembles as many transcripts as it may', async () => {
    const id = await world.newJob();
    const stages = createStages();
    await runUpToLastChunk(id, stages);
    stages.aggregationSlots.tryTake();
    await expectQueued(id, stages);
  });

  it('while the aggregation of another account waits for its turn', async () => {
    const id = await world.newJob();
    const stages = createStages();
    await runUpToLastChunk(id, stages);
    const other = await world.newJob({ enqueue: false, of: await world.newAccount() });
    await inTransaction(world.dataSource, (tx) =>
      addOrRestartStages(tx, other, [{ name: 'aggregation', chunkIndex: 0, input: null }]),
    );
    await expectQueued(id, stages);
    expect(stages.aggregationSlots.tryTake()).not.toBeNull();
  });

  it('while its account has as many running aggregations as it may', async () => {
    const runner = world.runner({ maxRunningPerAccount: { aggregation: 1 } });
    const stages = createStages({ runner });
    const id = await world.newJob();
    await runUpToLastChunk(id, stages, runner);
    const busy = await world.newJob({ enqueue: false });
    await inTransaction(world.dataSource, (tx) =>
      addOrRestartStages(tx, busy, [{ name: 'aggregation', chunkIndex: 0, input: null }]),
    );
    await world.rows(
      `UPDATE job_stage SET state = 'running', lease_until = 'infinity' WHERE job_id = $1`,
      busy,
    );
    await expectQueued(id, stages, runner);
  });

  it('by a process that is closing', async () => {
    const id = await world.newJob();
    const stages = createStages();
    await runUpToLastChunk(id, stages);
    await stages.handOver.close(0);
    await expectQueued(id, stages);
  });
});
