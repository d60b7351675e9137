import { inTransaction } from '@app/database';
import {
  endJobOfAbortedUpload,
  scheduleAggregationIfChunksDone,
  cancelJob,
  buildChunkStageName,
  completeStage,
  recordCompletedStep,
  enqueueJob,
  scheduleChunksOrAggregation,
  endJob,
  type StageName,
  type StageHandler,
} from '@app/jobs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createJobWorld, type World } from '../support/job-world.js';

const neverAborted = new AbortController().signal;
const CHUNKS = [
  { key: 'a', start: 0, end: 2 },
  { key: 'b', start: 3, end: 5 },
];
const SECONDS = 6;

let world: World;
beforeAll(async () => void (world = await createJobWorld({ credits: 1_000 })));
afterAll(() => world.close());

const cancelInTransaction = (id: string) =>
  inTransaction(world.dataSource, (tx) => cancelJob(tx, world.hooks, id));
const abortInTransaction = (id: string) =>
  inTransaction(world.dataSource, (tx) => endJobOfAbortedUpload(tx, world.hooks, id));
const enqueue = (id: string) =>
  inTransaction(world.dataSource, (tx) =>
    enqueueJob(tx, id, { deadlineSeconds: 60, storedObject: { size: 1, etag: 'e' } }),
  );
const readJob = (id: string) => world.row('SELECT status, failed_stage, reason FROM job WHERE id = $1', id);
const readLedgerEntries = (id: string) =>
  world.rows('SELECT kind, amount FROM credit_entry WHERE job_id = $1 ORDER BY id', id);
const run = (id: string, name: StageName, work: StageHandler) => world.run(id, name, neverAborted, work);

/** Commits preprocess like the processor: holds the price and dispatches the chunks. */
const preprocess =
  (chunks: readonly Record<string, unknown>[]): StageHandler =>
  async (stage) =>
  async (tx) => {
    const { jobId, accountId } = stage;
    const steps = chunks.length + 1;
    await tx.query('UPDATE job SET duration = $2, steps_total = $3 WHERE id = $1', [jobId, SECONDS, steps]);
    await completeStage(tx, stage, null);
    await world.hooks.holdCredits(tx, { id: jobId, accountId, seconds: SECONDS });
    const stages = chunks.map((input, index) => ({
      name: buildChunkStageName(index),
      chunkIndex: index,
      input,
    }));
    await scheduleChunksOrAggregation(tx, jobId, stages);
  };

/** Commits a chunk like the processor; `held` runs before the end of the transaction. */
const chunk =
  (beforeEnd: () => Promise<void> = () => Promise.resolve()): StageHandler =>
  async (stage) =>
  async (tx) => {
    await recordCompletedStep(tx, stage.jobId, stage.name);
    await completeStage(tx, stage, { words: [] });
    await scheduleAggregationIfChunksDone(tx, stage.jobId);
    await beforeEnd();
  };

async function createChunkedJob(chunks: readonly Record<string, unknown>[] = CHUNKS): Promise<string> {
  const id = await world.newJob();
  expect(await run(id, 'preprocess', preprocess(chunks))).toBe('committed');
  return id;
}

describe('cancelJob', () => {
  it('a cancelled upload ends its job and costs nothing', async () => {
    const id = await world.newJob({ enqueue: false });
    expect(await cancelInTransaction(id)).toBe(true);
    expect(await readJob(id)).toEqual({
      status: 'failed',
      failed_stage: 'cancelled',
      reason: 'The job was cancelled.',
    });
    expect(await readLedgerEntries(id)).toEqual([]);
    expect(await enqueue(id)).toBe(false);
  });

  it('a cancellation aborts the running chunk and charges the completed ones', async () => {
    const id = await createChunkedJob();
    expect(await run(id, 'chunk:0', chunk())).toBe('committed');
    const interrupted: StageHandler = async (_, signal) => {
      expect(await cancelInTransaction(id)).toBe(true);
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
      throw signal.reason as Error;
    };
    expect(await world.run(id, 'chunk:1', neverAborted, interrupted, world.runner({ leaseSeconds: 1 }))).toBe(
      'stale',
    );

    expect(await readJob(id)).toMatchObject({ status: 'failed', failed_stage: 'cancelled' });
    expect(await readLedgerEntries(id)).toEqual([
      { kind: 'hold', amount: -6 },
      { kind: 'release', amount: 6 },
      { kind: 'capture', amount: -2 },
    ]);
    expect(
      await world.rows(`SELECT name FROM job_stage WHERE job_id = $1 AND state = 'dropped'`, id),
    ).toEqual([{ name: 'chunk:1' }]);
    const events = await world.rows<{ type: string; data: object }>(
      'SELECT type, data FROM job_event WHERE job_id = $1 ORDER BY seq',
      id,
    );
    expect(events.at(-1)).toEqual({
      type: 'failed',
      data: { step: 'cancelled', reason: 'The job was cancelled.' },
    });
  });

  it('a cancellation charges two channels that are transcribed apart like one recording', async () => {
    const channels = CHUNKS.flatMap(({ key, ...span }) =>
      [1, 2].map((channel) => ({ key: `${key}${channel}`, ...span, channel })),
    );
    const id = await createChunkedJob(channels);
    for (const name of ['chunk:0', 'chunk:1'] as const)
      expect(await run(id, name, chunk())).toBe('committed');
    expect(await cancelInTransaction(id)).toBe(true);
    expect((await readLedgerEntries(id)).at(-1)).toEqual({ kind: 'capture', amount: -2 });
  });

  it('a cancellation is rejected when only aggregation is left', async () => {
    const id = await createChunkedJob();
    for (const name of ['chunk:0', 'chunk:1'] as const) await run(id, name, chunk());
    expect(await cancelInTransaction(id)).toBe(false);
    expect(await readJob(id)).toMatchObject({ status: 'processing' });
    const aggregate: StageHandler = async (stage) => async (tx) => {
      await completeStage(tx, stage, null);
      await endJob(tx, world.hooks, id, { status: 'completed', resultKey: 'k' });
    };
    expect(await run(id, 'aggregation', aggregate)).toBe('committed');
    expect(await cancelInTransaction(id)).toBe(false);
    expect((await readLedgerEntries(id)).at(-1)).toEqual({ kind: 'capture', amount: -SECONDS });
  });

  it('a cancellation that waits for the job row sees the last chunk that committed meanwhile', async () => {
    const id = await createChunkedJob();
    await run(id, 'chunk:0', chunk());
    const cancelled: Promise<boolean>[] = [];
    const last = chunk(async () => {
      cancelled.push(cancelInTransaction(id));
      await world.waitForBlockedTransaction();
    });
    expect(await run(id, 'chunk:1', last)).toBe('committed');
    expect(await Promise.all(cancelled)).toEqual([false]);
    expect(await readJob(id)).toMatchObject({ status: 'processing' });
  });

  it('concurrent cancellations end a job once', async () => {
    const id = await createChunkedJob();
    const results = await Promise.all(Array.from({ length: 8 }, () => cancelInTransaction(id)));
    expect(results.filter(Boolean)).toHaveLength(1);
    expect(await readLedgerEntries(id)).toHaveLength(2);
  });
});

describe('abortUpload', () => {
  it('an aborted upload ends its job once', async () => {
    const id = await world.newJob({ enqueue: false });
    expect(await abortInTransaction(id)).toBe(true);
    expect(await abortInTransaction(id)).toBe(false);
    expect(await readJob(id)).toEqual({
      status: 'failed',
      failed_stage: 'upload',
      reason: 'Upload aborted.',
    });
  });

  it('a queued job is not aborted', async () => {
    const id = await world.newJob();
    expect(await abortInTransaction(id)).toBe(false);
    expect(await readJob(id)).toMatchObject({ status: 'processing' });
  });

  it('exactly one of a concurrent abort and completion succeeds', async () => {
    const ids = await Promise.all(Array.from({ length: 40 }, () => world.newJob({ enqueue: false })));
    for (const id of ids) {
      const [aborted, queued] = await Promise.all([abortInTransaction(id), enqueue(id)]);
      expect(aborted).not.toBe(queued);
      expect(await readJob(id)).toMatchObject({ status: aborted ? 'failed' : 'processing' });
    }
  });
});
