import { inTransaction } from '@app/database';
import {
  completeStage,
  recordCompletedStep,
  createJobAndEnqueueIfUrl,
  buildFailedOutcome,
  endJob,
  UnrecoverableStageError,
  RetryableStageError,
  type StageHandler,
} from '@app/jobs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createJobWorld, type World } from '../support/job-world.js';
import { buildUrlJob } from '../support/new-job.js';

const neverAborted = new AbortController().signal;

/** Work that completes the only stage and ends the job. */
const createFinishingWork =
  (world: World): StageHandler =>
  async (stage) =>
  async (tx) => {
    await tx.query('UPDATE job SET steps_total = 1 WHERE id = $1', [stage.jobId]);
    await recordCompletedStep(tx, stage.jobId, stage.name);
    await completeStage(tx, stage, { by: stage.fence });
    await endJob(tx, world.hooks, stage.jobId, {
      status: 'completed',
      resultKey: `by-${stage.fence}`,
    });
  };

let world: World;
beforeAll(async () => void (world = await createJobWorld({ credits: 1_000_000 })));
afterAll(() => world.close());

describe('createJob', () => {
  it('concurrent jobs of one account get unique creation times', async () => {
    await Promise.all(Array.from({ length: 60 }, () => world.newJob({ enqueue: false })));
    const row = await world.row<{ jobs: number; moments: number }>(
      'SELECT count(*) AS jobs, count(DISTINCT created_at) AS moments FROM job WHERE account_id = $1',
      world.accountId,
    );
    expect(row?.moments).toBe(row?.jobs);
  });

  it('the creation times of one account increase, also if the clock is behind the last one', async () => {
    await world.rows(
      `UPDATE account SET last_job_at = now() + interval '1 hour' WHERE id = $1`,
      world.accountId,
    );
    const ids: string[] = [];
    for (let count = 0; count < 3; count++) ids.push(await world.newJob({ enqueue: false }));
    const rows = await world.rows<{ id: string }>(
      `SELECT job.id FROM job JOIN account ON account.id = account_id
       WHERE account.id = $1 AND job.created_at > now() AND job.created_at <= last_job_at
       ORDER BY job.created_at`,
      world.accountId,
    );
    expect(rows.map(({ id }) => id)).toEqual(ids);
    await world.rows('UPDATE account SET last_job_at = now() WHERE id = $1', world.accountId);
  });

  it('a job of an account that was deleted meanwhile is rejected like an invalid key', async () => {
    const creating = inTransaction(world.dataSource, (tx) =>
      createJobAndEnqueueIfUrl(tx, buildUrlJob({ accountId: '0193a5c0-0000-7000-8000-000000000000' })),
    );
    await expect(creating).rejects.toMatchObject({ code: 'invalid_api_key', status: 401 });
  });

  it('a job with an audio URL is queued no earlier than it was created', async () => {
    const id = await inTransaction(world.dataSource, (tx) =>
      createJobAndEnqueueIfUrl(tx, buildUrlJob({ accountId: world.accountId })),
    );
    const row = await world.row<{ later: boolean }>(
      'SELECT queued_at >= created_at AS later FROM job WHERE id = $1',
      id,
    );
    expect(row?.later).toBe(true);
  });

  it('the first stage is enqueued in the outbox in the transaction that queues the job', async () => {
    const id = await world.newJob();
    await world.relay();
    expect(world.relayedMessages.filter(({ payload }) => payload.jobId === id)).toEqual([
      { queue: 'preprocess', id: `${id}-preprocess-f0`, payload: { jobId: id } },
    ]);
    expect(await world.row('SELECT id FROM outbox WHERE payload->>$1 = $2', 'jobId', id)).toBeUndefined();
  });
});

describe('the outbox relay', () => {
  it('a message that the queue rejected stays in the outbox', async () => {
    const id = await world.newJob();
    const { relayOutboxBatch } = await import('@app/jobs');
    const unavailableQueue = { add: () => Promise.reject(new Error('away')) };
    await expect(relayOutboxBatch(world.dataSource, unavailableQueue as never)).rejects.toThrow('away');
    expect(
      await world.row('SELECT id FROM outbox WHERE delivery_id = $1', `${id}-preprocess-f0`),
    ).toBeDefined();
  });

  it('concurrent relays send every message once', async () => {
    await world.relay();
    world.relayedMessages.length = 0;
    const ids = await Promise.all(Array.from({ length: 40 }, () => world.newJob()));
    await Promise.all(Array.from({ length: 6 }, () => world.relay()));
    await world.relay();
    const relayedIds = world.relayedMessages.map(({ payload }) => payload.jobId);
    expect(relayedIds).toHaveLength(ids.length);
    expect(new Set(relayedIds)).toEqual(new Set(ids));
  });
});

describe('StageRunner', () => {
  it('a stage that is delivered concurrently runs once', async () => {
    const id = await world.newJob();
    const results = await Promise.all(
      Array.from({ length: 8 }, () => world.run(id, 'preprocess', neverAborted, createFinishingWork(world))),
    );
    expect(results.filter((result) => result === 'committed')).toHaveLength(1);
    const events = await world.rows<{ seq: number; type: string }>(
      'SELECT seq, type FROM job_event WHERE job_id = $1 ORDER BY seq',
      id,
    );
    expect(events).toEqual([
      { seq: 1, type: 'progress' },
      { seq: 2, type: 'completed' },
    ]);
  });

  it('a stage that throws is released with a counted attempt, and the third failure ends the job', async () => {
    const id = await world.newJob();
    const throwing: StageHandler = () => Promise.reject(new Error('engine crashed'));
    const results = [];
    for (let attempt = 0; attempt < 3; attempt += 1)
      results.push(await world.run(id, 'preprocess', neverAborted, throwing));
    expect(results).toEqual(['released', 'released', 'failed']);
    const job = await world.row('SELECT status, failed_stage, reason FROM job WHERE id = $1', id);
    expect(job).toMatchObject({ status: 'failed', failed_stage: 'preprocess' });
    expect(JSON.stringify(job)).not.toContain('engine crashed');
  });

  it('a RetryableStageError gives the job its reason after the last attempt', async () => {
    const id = await world.newJob();
    const retryable: StageHandler = () => Promise.reject(new RetryableStageError('The server answered 503.'));
    for (let attempt = 0; attempt < 3; attempt += 1)
      await world.run(id, 'preprocess', neverAborted, retryable);
    expect(await world.row('SELECT status, reason FROM job WHERE id = $1', id)).toEqual({
      status: 'failed',
      reason: 'The server answered 503.',
    });
  });

  it('an UnrecoverableStageError ends the job at once', async () => {
    const id = await world.newJob();
    const unrecoverable: StageHandler = () =>
      Promise.reject(new UnrecoverableStageError('The file holds no audio.'));
    expect(await world.run(id, 'preprocess', neverAborted, unrecoverable)).toBe('failed');
    expect(await world.row('SELECT reason FROM job WHERE id = $1', id)).toEqual({
      reason: 'The file holds no audio.',
    });
  });

  it('a stage is released without a counted attempt when the process stops', async () => {
    const id = await world.newJob();
    const stop = new AbortController();
    const interrupted: StageHandler = async (_, signal) => {
      stop.abort();
      signal.throwIfAborted();
      throw new Error('unreachable');
    };
    expect(await world.run(id, 'preprocess', stop.signal, interrupted)).toBe('released');
    const stage = await world.row('SELECT state, attempts FROM job_stage WHERE job_id = $1', id);
    expect(stage).toEqual({ state: 'pending', attempts: 0 });
  });

  it('a stage that lost its lease does not commit its result', async () => {
    const id = await world.newJob();
    const losesLease: StageHandler = async (...args) => {
      await world.loseLease(id);
      expect(await world.run(id, 'preprocess', neverAborted, createFinishingWork(world))).toBe('committed');
      return createFinishingWork(world)(...args);
    };
    expect(await world.run(id, 'preprocess', neverAborted, losesLease)).toBe('stale');
    expect(await world.row('SELECT result_key AS key FROM job WHERE id = $1', id)).toEqual({ key: 'by-3' });
    expect(
      await world.rows(`SELECT 1 FROM job_event WHERE job_id = $1 AND type = 'completed'`, id),
    ).toHaveLength(1);
  });

  it('a lost lease aborts the work of the stage', async () => {
    const id = await world.newJob();
    const losesLease: StageHandler = async (_, signal) => {
      await world.rows('UPDATE job_stage SET fence = fence + 1 WHERE job_id = $1', id);
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
      throw signal.reason as Error;
    };
    expect(
      await world.run(id, 'preprocess', neverAborted, losesLease, world.runner({ leaseSeconds: 1 })),
    ).toBe('stale');
  });

  it('a stage fails after three attempts that killed their worker', async () => {
    const id = await world.newJob();
    await world.rows('UPDATE job_stage SET attempts = 3 WHERE job_id = $1', id);
    expect(await world.run(id, 'preprocess', neverAborted, createFinishingWork(world))).toBe('failed');
    expect(await world.row('SELECT status, failed_stage FROM job WHERE id = $1', id)).toEqual({
      status: 'failed',
      failed_stage: 'preprocess',
    });
  });
});

describe('endJob', () => {
  it('one of several concurrent calls ends the job, and its status never changes again', async () => {
    const id = await world.newJob();
    const ends = await Promise.all(
      Array.from({ length: 10 }, (_, at) =>
        inTransaction(world.dataSource, (tx) =>
          endJob(
            tx,
            world.hooks,
            id,
            at % 2 ? buildFailedOutcome('cancelled', 'Cancelled.') : { status: 'completed', resultKey: 'k' },
          ),
        ),
      ),
    );
    expect(ends.filter(Boolean)).toHaveLength(1);
    const job = await world.row<{ status: string; event_seq: number }>(
      'SELECT status, event_seq FROM job WHERE id = $1',
      id,
    );
    expect(job?.event_seq).toBe(1);
    expect(await world.rows('SELECT type FROM job_event WHERE job_id = $1', id)).toEqual([
      { type: job?.status },
    ]);
  });

  it('a rollback undoes status, event and ledger entries', async () => {
    const id = await world.newJob();
    const job = { id, accountId: world.accountId, seconds: 4 };
    await inTransaction(world.dataSource, (tx) => world.hooks.holdCredits(tx, job));
    const ending = inTransaction(world.dataSource, async (tx) => {
      await endJob(tx, world.hooks, id, buildFailedOutcome('chunk:0', 'x'));
      throw new Error('undo');
    });
    await expect(ending).rejects.toThrow('undo');
    expect(await world.row('SELECT status, event_seq FROM job WHERE id = $1', id)).toEqual({
      status: 'processing',
      event_seq: 0,
    });
    expect(await world.rows('SELECT seq FROM job_event WHERE job_id = $1', id)).toEqual([]);
    expect(await world.rows('SELECT kind FROM credit_entry WHERE job_id = $1', id)).toEqual([
      { kind: 'hold' },
    ]);
  });

  it('the stages of an ended job cannot be claimed', async () => {
    const id = await world.newJob();
    await inTransaction(world.dataSource, (tx) =>
      endJob(tx, world.hooks, id, buildFailedOutcome('upload', 'x')),
    );
    expect(await world.run(id, 'preprocess', neverAborted, createFinishingWork(world))).toBe('idle');
  });
});
