import { buffer } from 'node:stream/consumers';
import { inTransaction } from '@app/database';
import { addOrRestartStages, type StageName, type StageRunner, type StageHandler } from '@app/jobs';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { JobRows } from '../support/job-rows.js';
import { createJobWorld, type World } from '../support/job-world.js';
import { ROW_INVARIANTS } from '../support/invariants/row-invariants.js';
import { type ShortRecordingOptions, ShortRecordingStages } from '../support/short-recording-stages.js';
import { createThrowawayStore, type ThrowawayStore } from '../support/throwaway-store.js';

const { signal } = new AbortController();
const CHUNK = { name: 'chunk:0' as const, chunkIndex: 0, input: { key: 'k', start: 0, end: 1 } };

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
// Open jobs of other tests would wait for their turns.
beforeEach(() => world.rows(`UPDATE job_stage SET state = 'dropped' WHERE state IN ('pending', 'running')`));

const createStages = (options: Partial<ShortRecordingOptions> = {}) =>
  new ShortRecordingStages({ world, store: files.store, runner: world.runner(), ...options });
const run = (id: string, name: StageName, work: StageHandler, by?: StageRunner) =>
  world.run(id, name, signal, work, by);
const runOnly = (id: string, stages: ShortRecordingStages, by?: StageRunner) =>
  run(id, 'preprocess', stages.preprocess, by);

/** Runs the stages of a job whose chunk was queued. */
async function runQueued(id: string, stages: ShortRecordingStages): Promise<void> {
  expect(await job.stageNames(id, 'pending')).toEqual(['chunk:0']);
  expect(await run(id, 'chunk:0', stages.transcribe)).toBe('committed');
  expect(await run(id, 'aggregation', stages.aggregate)).toBe('committed');
}

const readEvents = (id: string) =>
  world.rows('SELECT seq, type, data FROM job_event WHERE job_id = $1 ORDER BY seq', id);
const readStages = (id: string) =>
  world.rows('SELECT name, queue, state, attempts FROM job_stage WHERE job_id = $1 ORDER BY name', id);

async function readDocument(id: string): Promise<unknown> {
  const row = await world.row<{ key: string }>('SELECT result_key AS key FROM job WHERE id = $1', id);
  const stored = String(await buffer(await files.store.get(row?.key ?? expect.unreachable('no transcript'))));
  return { ...(JSON.parse(stored) as object), job_id: 'id', created_at: 'time' };
}

async function createAndQueueJob(): Promise<string> {
  const id = await world.newJob();
  await world.rows(`UPDATE job SET options = options || '{"output_type": "json"}' WHERE id = $1`, id);
  return id;
}

describe('a recording of one chunk', () => {
  it('ends with one claim, and its rows, events and transcript are those of a job whose chunk was queued', async () => {
    const [id, queued] = [await createAndQueueJob(), await createAndQueueJob()];
    const stages = createStages();
    expect(await runOnly(id, stages)).toBe('committed');
    await stages.waitUntilIdle();
    await world.rows('DELETE FROM outbox');
    expect(await job.finalState(id)).toEqual({ status: 'completed', failed_stage: null });

    // It hands nothing over any more.
    expect(await runOnly(queued, stages)).toBe('committed');
    await runQueued(queued, stages);
    await world.rows('DELETE FROM outbox');

    expect(await readEvents(id)).toEqual([
      { seq: 1, type: 'progress', data: { completed: 1, total: 2, step: 'chunk:0' } },
      { seq: 2, type: 'progress', data: { completed: 2, total: 2, step: 'aggregation' } },
      { seq: 3, type: 'completed', data: {} },
    ]);
    expect(await job.ledgerEntries(id)).toEqual(['hold -3', 'release 3', 'capture -3']);
    expect(await readEvents(id)).toEqual(await readEvents(queued));
    expect(await job.ledgerEntries(id)).toEqual(await job.ledgerEntries(queued));
    expect(await readStages(id)).toEqual(await readStages(queued));
    const document = await readDocument(id);
    expect(document).toEqual(await readDocument(queued));
    expect(document).toMatchObject({ duration: 2.5, language: 'en' });
    for (const { invariant, violationsQuery } of ROW_INVARIANTS)
      expect(await world.rows(violationsQuery), invariant).toEqual([]);
  });

  it('gets no queue message after that of preprocess, and is reported as a chunk that was handled', async () => {
    const id = await world.newJob();
    await world.rows('DELETE FROM outbox');
    const stages = createStages();
    await runOnly(id, stages);
    await stages.waitUntilIdle();
    expect(await world.rows('SELECT FROM outbox')).toEqual([]);
    expect(stages.reports).toMatchObject([{ queue: 'chunk', outcome: 'done', waitMs: 0 }]);
  });

  it('reports preprocess as a step before its chunk if the file is not small', async () => {
    const id = await world.newJob();
    let before: unknown;
    const stages: ShortRecordingStages = createStages({
      countsAsStep: true,
      transcribe: async () => {
        before = await job.progressEvents(id);
        return { language: 'en', words: [] };
      },
    });
    await runOnly(id, stages);
    await stages.waitUntilIdle();
    expect(before).toEqual(['1 of 3: preprocess']);
    expect(await readEvents(id)).toMatchObject([
      { seq: 1, data: { step: 'preprocess' } },
      { seq: 2, data: { step: 'chunk:0' } },
      { seq: 3, data: { completed: 3, step: 'aggregation' } },
      { seq: 4, type: 'completed' },
    ]);
  });

  it('takes a turn of its account, and its slot again from the end on', async () => {
    const id = await world.newJob();
    const readTurn = () =>
      world.row(
        `SELECT last_turn = (SELECT max(last_turn) FROM turn) AS last FROM turn WHERE queue = 'chunk' AND account_id = $1`,
        world.accountId,
      );
    const stages = createStages();
    await runOnly(id, stages);
    expect(await readTurn()).toEqual({ last: true });
    await stages.waitUntilIdle();
    expect(stages.slots.tryTake()).not.toBeNull();
  });

  it.each([
    ['leaves its slot to the next chunk while its transcript is stored', 1, true],
    ['has the slot of its chunk until its end while as many transcripts as allowed are assembled', 0, false],
  ])('%s', async (_, aggregationSlots, isFree) => {
    const id = await world.newJob();
    let isFreeWhileStoring: boolean | null = null;
    const put = files.store.put.bind(files.store);
    const storing = vi.spyOn(files.store, 'put').mockImplementation((...given) => {
      if (given[0].startsWith('transcripts/')) {
        const release = stages.slots.tryTake();
        isFreeWhileStoring ??= release !== null;
        release?.();
      }
      return put(...given);
    });
    onTestFinished(() => storing.mockRestore());
    const stages = createStages({ aggregationSlots });
    await runOnly(id, stages);
    await expect.poll(() => isFreeWhileStoring).toBe(isFree);
    await stages.waitUntilIdle();
    expect(stages.slots.tryTake()).not.toBeNull();
  });
});

describe('the chunk of a recording of one chunk is queued', () => {
  it('while a chunk of another account waits for its turn', async () => {
    const other = await world.newJob({ of: await world.newAccount() });
    await inTransaction(world.dataSource, (tx) => addOrRestartStages(tx, other, [CHUNK]));
    const id = await world.newJob();
    const stages = createStages();
    // Not by `world.run`, after which the chunk would not be due.
    await world.rows(
      `UPDATE job_stage SET due_at = 'infinity' WHERE job_id = $1 AND name = 'preprocess'`,
      other,
    );
    expect(await world.runner().run('preprocess', signal, stages.preprocess)).toBe('committed');
    expect(stages.slots.tryTake()).not.toBeNull();
    expect(await job.stageNames(id, 'pending')).toEqual(['chunk:0']);
    expect(await world.rows(`SELECT FROM outbox WHERE delivery_id = $1`, `${id}-chunk-0-f0`)).toHaveLength(1);
  });

  it('while the process transcribes as many chunks as it may', async () => {
    const id = await world.newJob();
    const stages = createStages();
    stages.slots.tryTake();
    await runOnly(id, stages);
    await runQueued(id, stages);
    expect(await job.finalState(id)).toEqual({ status: 'completed', failed_stage: null });
  });

  it('while its account has as many running chunks as it may, but not while another one has', async () => {
    const runner = world.runner({ maxRunningPerAccount: { chunk: 1 } });
    const stages = createStages({ runner, slots: 9 });
    const busy = await world.newJob();
    await inTransaction(world.dataSource, (tx) => addOrRestartStages(tx, busy, [CHUNK]));
    await world.rows(
      `UPDATE job_stage SET state = 'running', lease_until = 'infinity' WHERE job_id = $1 AND queue = 'chunk'`,
      busy,
    );
    const [own, others] = [await world.newJob(), await world.newJob({ of: await world.newAccount() })];
    await runOnly(own, stages, runner);
    expect(await job.stageNames(own, 'pending')).toEqual(['chunk:0']);
    await world.rows(`UPDATE job_stage SET state = 'dropped' WHERE job_id = $1`, own);
    await runOnly(others, stages, runner);
    await stages.waitUntilIdle();
    expect(await job.finalState(others)).toEqual({ status: 'completed', failed_stage: null });
  });

  it.each([
    ['running aggregations of an account are limited', { maxRunningPerAccount: { aggregation: 1 } }],
    ['a stage has one attempt', { maxAttempts: 1 }],
  ])('if %s', async (_, overrides) => {
    const id = await world.newJob();
    const runner = world.runner(overrides);
    const stages = createStages({ runner });
    await runOnly(id, stages, runner);
    expect(await job.stageNames(id, 'pending')).toEqual(['chunk:0']);
    expect(stages.slots.tryTake()).not.toBeNull();
  });

  it('if its job was split before', async () => {
    const id = await world.newJob();
    await world.rows('UPDATE job SET duration = 2.5 WHERE id = $1', id);
    const stages = createStages();
    await runOnly(id, stages);
    expect(await job.stageNames(id, 'pending')).toEqual(['chunk:0']);
  });
});
