import { inTransaction } from '@app/database';
import { cancelJob, JobSweeper, type StageName, type StageRunner, type StageHandler } from '@app/jobs';
import type { SpeechEngine } from '@app/speech';
import type { ObjectStore } from '@app/storage';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createDeferred, type Deferred } from '../support/deferred.js';
import { JobRows } from '../support/job-rows.js';
import { createJobWorld, EMPTY_QUEUE, type World } from '../support/job-world.js';
import { ROW_INVARIANTS } from '../support/invariants/row-invariants.js';
import {
  SHORT_TRANSCRIPTION,
  type ShortRecordingOptions,
  ShortRecordingStages,
} from '../support/short-recording-stages.js';
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
beforeEach(() => world.rows('DELETE FROM job'));
afterEach(async () => {
  await world.rows('DELETE FROM outbox');
  for (const { invariant, violationsQuery } of ROW_INVARIANTS)
    expect(await world.rows(violationsQuery), invariant).toEqual([]);
});

const createStages = (options: Partial<ShortRecordingOptions> = {}) =>
  new ShortRecordingStages({ world, store: files.store, runner: world.runner(), ...options });
const run = (id: string, name: StageName, work: StageHandler, by?: StageRunner) =>
  world.run(id, name, signal, work, by);

/** A recogniser that waits until the test goes on, or its signal is aborted. */
function createWaitingEngine(): {
  started: Promise<void>;
  end: Deferred<void>;
  transcribe: SpeechEngine['transcribe'];
} {
  const [start, end] = [createDeferred(), createDeferred()];
  const transcribe: SpeechEngine['transcribe'] = (_, options) => {
    start.resolve();
    return new Promise((resolve, reject) => {
      options?.signal?.addEventListener('abort', () => reject(options.signal?.reason as Error));
      void end.promise.then(() => resolve(SHORT_TRANSCRIPTION));
    });
  };
  return { started: start.promise, end, transcribe };
}

/** A store that rejects transcripts. */
const withoutTranscripts = (): ObjectStore =>
  new Proxy(files.store, {
    get: (store, name) => {
      const value = Reflect.get(store, name) as unknown;
      if (typeof value !== 'function') return value;
      return (...given: unknown[]) =>
        name === 'put' && String(given[0]).startsWith('transcripts/')
          ? Promise.reject(new Error('the disk has a fault'))
          : (value.apply(store, given) as unknown);
    },
  });

const readChunk = (id: string) =>
  world.row(
    `SELECT state, attempts, fence, last_error FROM job_stage WHERE job_id = $1 AND name = 'chunk:0'`,
    id,
  );

/** Runs what is queued to the end of the job. */
async function completeByQueue(id: string, stages = createStages()): Promise<void> {
  expect(await run(id, 'chunk:0', stages.transcribe)).toBe('committed');
  expect(await run(id, 'aggregation', stages.aggregate)).toBe('committed');
  expect(await job.finalState(id)).toEqual({ status: 'completed', failed_stage: null });
  expect(await job.ledgerEntries(id)).toEqual(['hold -3', 'release 3', 'capture -3']);
}

describe('a recording of one chunk', () => {
  it('is finished by another process when the first one loses its lease, which then changes nothing', async () => {
    const id = await world.newJob();
    const { started, end, transcribe } = createWaitingEngine();
    const stages = createStages({ transcribe });
    expect(await run(id, 'preprocess', stages.preprocess)).toBe('committed');
    await started;
    await world.loseLease(id);
    expect(await readChunk(id)).toMatchObject({ state: 'pending', attempts: 1, fence: 1 });
    expect(await world.rows(`SELECT FROM outbox WHERE delivery_id = $1`, `${id}-chunk-0-f1`)).toHaveLength(1);
    await completeByQueue(id);
    const key = await world.row('SELECT result_key FROM job WHERE id = $1', id);
    end.resolve();
    await stages.waitUntilIdle();
    expect(stages.reports).toMatchObject([{ outcome: 'stale' }]);
    expect(await world.row('SELECT result_key FROM job WHERE id = $1', id)).toEqual(key);
    expect(key).toEqual({ result_key: expect.stringContaining('/f1/') as string });
    expect(await files.listKeys(`transcripts/${id}/f0/`)).not.toEqual([]);
  });

  it('continues after a crash between preprocess and its chunk', async () => {
    const id = await world.newJob();
    const stages = createStages();
    // A process that claims, and does no more.
    const preprocess: StageHandler = async (...given) => {
      const handOver = await stages.preprocess(...given);
      if (typeof handOver === 'function') return expect.unreachable('it was queued');
      return { commit: handOver.commit, startNextStages: () => undefined };
    };
    expect(await run(id, 'preprocess', preprocess)).toBe('committed');
    expect(await readChunk(id)).toMatchObject({ state: 'running', attempts: 1, fence: 0 });
    await world.loseLease(id);
    await completeByQueue(id);
  });

  it('is transcribed again after a failure of the recogniser, as often as other chunks', async () => {
    const id = await world.newJob();
    const transcribe = async () => Promise.reject(new Error('the model is broken'));
    const stages = createStages({ transcribe });
    await run(id, 'preprocess', stages.preprocess);
    await stages.waitUntilIdle();
    expect(stages.reports).toMatchObject([{ outcome: 'retried' }]);
    expect(await readChunk(id)).toMatchObject({
      ...{ state: 'pending', attempts: 1 },
      last_error: expect.stringContaining('the model is broken') as string,
    });
    expect(await run(id, 'chunk:0', stages.transcribe)).toBe('released');
    expect(await run(id, 'chunk:0', stages.transcribe)).toBe('failed');
    expect(await job.finalState(id)).toEqual({ status: 'failed', failed_stage: 'chunk:0' });
    expect(await job.ledgerEntries(id)).toEqual(['hold -3', 'release 3']);
  });

  it('keeps its words after a failure of aggregation, which is then queued and named by a failure', async () => {
    const id = await world.newJob();
    const store = withoutTranscripts();
    const logged: unknown[] = [];
    const logger = { info: () => undefined, warn: (_: string, fields: object) => logged.push(fields) };
    const stages = createStages({ store, runner: world.runner({ logger }) });
    await run(id, 'preprocess', stages.preprocess);
    await stages.waitUntilIdle();
    expect(logged).toMatchObject([{ stage: 'aggregation', kind: 'retryable' }]);
    expect(await job.stageNames(id, 'done')).toEqual(['chunk:0', 'preprocess']);
    expect(await job.stageNames(id, 'pending')).toEqual(['aggregation']);
    expect(await job.progressEvents(id)).toEqual(['1 of 2: chunk:0']);
    for (const outcome of ['released', 'released', 'failed'])
      expect(await run(id, 'aggregation', stages.aggregate)).toBe(outcome);
    expect(await job.finalState(id)).toEqual({ status: 'failed', failed_stage: 'aggregation' });
  });

  it('is not transcribed any more after its cancellation, and costs nothing', async () => {
    const id = await world.newJob();
    const { started, transcribe } = createWaitingEngine();
    const stages = createStages({ transcribe, runner: world.runner({ leaseSeconds: 0.3 }) });
    await run(id, 'preprocess', stages.preprocess);
    await started;
    expect(await inTransaction(world.dataSource, (tx) => cancelJob(tx, world.hooks, id))).toBe(true);
    // The renewal of the lease aborts it.
    await stages.waitUntilIdle();
    expect(stages.reports).toMatchObject([{ outcome: 'stale' }]);
    expect(await job.finalState(id)).toEqual({ status: 'failed', failed_stage: 'cancelled' });
    expect(await job.ledgerEntries(id)).toEqual(['hold -3', 'release 3']);
  });

  it('is not completed when it was cancelled while its transcript was stored', async () => {
    const id = await world.newJob();
    const stages = createStages();
    const { aggregation } = stages;
    const storeTranscript = aggregation.storeTranscript.bind(aggregation);
    aggregation.storeTranscript = async (...given) => {
      const key = await storeTranscript(...given);
      await inTransaction(world.dataSource, (tx) => cancelJob(tx, world.hooks, id));
      return key;
    };
    await run(id, 'preprocess', stages.preprocess);
    await stages.waitUntilIdle();
    expect(stages.reports).toMatchObject([{ outcome: 'stale' }]);
    expect(await job.finalState(id)).toEqual({ status: 'failed', failed_stage: 'cancelled' });
  });

  it('fails before it is transcribed if its account cannot pay, and its slot becomes free', async () => {
    const id = await world.newJob({ of: await createPoorAccount() });
    const transcribe = () => expect.unreachable('it was transcribed');
    const stages = createStages({ transcribe });
    expect(await run(id, 'preprocess', stages.preprocess)).toBe('failed');
    expect(await job.finalState(id)).toEqual({ status: 'failed', failed_stage: 'billing' });
    expect(stages.slots.tryTake()).not.toBeNull();
  });

  it('fails in its chunk when the deadline passes while it is transcribed', async () => {
    const id = await world.newJob();
    const { started, end, transcribe } = createWaitingEngine();
    const stages = createStages({ transcribe });
    await run(id, 'preprocess', stages.preprocess);
    await started;
    await world.rows(`UPDATE job SET deadline_at = now() - interval '1 second' WHERE id = $1`, id);
    const options = { redeliverSeconds: 3600, leaseSeconds: 10 };
    await new JobSweeper(world.dataSource, world.hooks, EMPTY_QUEUE, options).sweep();
    expect(await job.finalState(id)).toEqual({ status: 'failed', failed_stage: 'chunk:0' });
    end.resolve();
    await stages.waitUntilIdle();
    expect(stages.reports).toMatchObject([{ outcome: 'stale' }]);
    expect(await job.finalState(id)).toEqual({ status: 'failed', failed_stage: 'chunk:0' });
  });

  it('has the time limit of a chunk, however long preprocess took', async () => {
    const id = await world.newJob();
    const { transcribe } = createWaitingEngine();
    const runner = world.runner({ stageTimeoutSeconds: 0.2 });
    const stages = createStages({ transcribe, runner });
    // By a runner with another limit: only that of the chunk is short.
    await run(id, 'preprocess', stages.preprocess);
    await stages.waitUntilIdle();
    expect(await readChunk(id)).toMatchObject({ state: 'pending', attempts: 1 });
    await completeByQueue(id);
  });

  it('is released at a shutdown, without a counted attempt', async () => {
    const id = await world.newJob();
    const { started, transcribe } = createWaitingEngine();
    const stages = createStages({ transcribe });
    await run(id, 'preprocess', stages.preprocess);
    await started;
    await stages.handOver.close(1);
    expect(await readChunk(id)).toMatchObject({ state: 'pending', attempts: 0, fence: 1 });
    expect(await world.rows(`SELECT FROM outbox WHERE delivery_id = $1`, `${id}-chunk-0-f1`)).toHaveLength(1);
    expect(stages.reports).toMatchObject([{ outcome: 'retried' }]);
    await completeByQueue(id);
  });

  it('is queued by a process that is closing', async () => {
    const id = await world.newJob();
    const stages = createStages();
    await stages.handOver.close(1);
    expect(await run(id, 'preprocess', stages.preprocess)).toBe('committed');
    expect(await job.stageNames(id, 'pending')).toEqual(['chunk:0']);
    await completeByQueue(id);
  });

  it('has no chunk, and takes no slot, if its process loses the lease of preprocess', async () => {
    const id = await world.newJob();
    const stages = createStages();
    const result = await run(id, 'preprocess', async (...given) => {
      await world.loseLease(id);
      return stages.preprocess(...given);
    });
    expect(result).toBe('stale');
    expect(await readChunk(id)).toBeUndefined();
    expect(stages.slots.tryTake()).not.toBeNull();
    const others = createStages();
    expect(await run(id, 'preprocess', others.preprocess)).toBe('committed');
    await others.waitUntilIdle();
    expect(await job.finalState(id)).toEqual({ status: 'completed', failed_stage: null });
  });
});

async function createPoorAccount(): Promise<string> {
  const id = await world.newAccount();
  await world.rows(
    `WITH entry AS (INSERT INTO credit_entry (account_id, kind, amount, note) VALUES ($1, 'grant', -998, 'spent'))
     UPDATE account SET balance = 2 WHERE id = $1`,
    id,
  );
  return id;
}
