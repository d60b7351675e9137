import {
  claimNextStage,
  type JobHooks,
  type StageQueues,
  JobSweeper,
  type JobSweeperOptions,
  QueueUnavailableError,
} from '@app/jobs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { SELECT_OVERDUE_JOBS_SQL } from '../../libs/jobs/src/maintenance/maintenance.repository.js';
import { shiftClockOfProcess } from '../support/shifted-clock.js';
import { createJobWorld, EMPTY_QUEUE, type World } from '../support/job-world.js';
import { readPlan } from '../support/query-plan.js';

let world: World;
beforeAll(async () => void (world = await createJobWorld()));
afterAll(() => world.close());
beforeEach(() => world.clear());

const OPTIONS = { redeliverSeconds: 30, leaseSeconds: 10 };
const createSweeper = (
  queue: Pick<StageQueues, 'counts'> = EMPTY_QUEUE,
  options: Partial<JobSweeperOptions> = {},
) => new JobSweeper(world.dataSource, world.hooks, queue, { ...OPTIONS, ...options });
/** @returns the id of their account */
async function insertDueFetches(count: number): Promise<string> {
  const account = await world.newAccount();
  const id = await world.newJob({ enqueue: false, of: account });
  await world.rows(
    `INSERT INTO job_stage (job_id, account_id, name, queue, place, due_at)
     SELECT $1, $2, 'fetch:' || at, 'fetch', at, now() - interval '1 minute' FROM generate_series(1, $3::int) at`,
    ...[id, account, count],
  );
  return account;
}
const sweepOnce = () => createSweeper().sweep();

describe('JobSweeper', () => {
  it('a sweep over healthy jobs changes nothing', async () => {
    await world.newJob();
    await claimNextStage(world.dataSource, 'preprocess', 10);
    await world.newJob({ enqueue: false });
    expect(await sweepOnce()).toEqual({ reclaimed: [], redelivered: 0, expired: 0 });
  });

  it('the stage of a dead worker is released under a new message id', async () => {
    const id = await world.newJob();
    await world.relay();
    await claimNextStage(world.dataSource, 'preprocess', 10);
    await world.rows(`UPDATE job_stage SET lease_until = now() - interval '1 second'`);
    expect(await sweepOnce()).toMatchObject({ reclaimed: [{ jobId: id, name: 'preprocess', attempts: 1 }] });
    await world.relay();
    expect(world.relayedMessages.map((message) => message.id)).toEqual([
      `${id}-preprocess-f0`,
      `${id}-preprocess-f2`,
    ]);
    expect(await world.row('SELECT state, attempts FROM job_stage')).toEqual({
      state: 'pending',
      attempts: 1,
    });
  });

  it('an overdue job whose row is locked is left to a later sweep', async () => {
    const [locked] = [await world.newJob(), await world.newJob()];
    await world.rows(`UPDATE job SET deadline_at = now() - interval '1 second'`);
    const other = world.dataSource.createQueryRunner();
    await other.startTransaction();
    await other.query('SELECT FROM job WHERE id = $1 FOR UPDATE', [locked]);
    expect(await sweepOnce()).toMatchObject({ expired: 1 });
    await other.rollbackTransaction();
    await other.release();
    expect(await sweepOnce()).toMatchObject({ expired: 1 });
  });

  it('a message that the queue lost is replaced by one with another id', async () => {
    const id = await world.newJob();
    await world.relay();
    await world.rows(`UPDATE job_stage SET due_at = now() - interval '31 seconds'`);
    const sweeper = createSweeper();
    const redelivered = [];
    for (let times = 0; times < 4; times += 1) redelivered.push((await sweeper.sweep()).redelivered);
    expect(redelivered).toEqual([0, 1, 0, 0]);
    await world.relay();
    expect(world.relayedMessages.map(({ payload }) => payload)).toEqual([{ jobId: id }, { jobId: id }]);
    expect(new Set(world.relayedMessages.map((message) => message.id)).size).toBe(2);
  });

  it('a backlog whose messages all wait gets no further message, and only the missing ones are added', async () => {
    for (let at = 0; at < 20; at += 1) await world.newJob();
    await world.relay();
    await world.rows(`UPDATE job_stage SET due_at = now() - interval '31 seconds'`);
    let counts = { waiting: 20, active: 0 };
    const sweeper = createSweeper({ counts: async () => counts });
    for (let times = 0; times < 3; times += 1)
      expect(await sweeper.sweep()).toMatchObject({ redelivered: 0 });
    counts = { waiting: 14, active: 3 };
    expect(await sweeper.sweep()).toMatchObject({ redelivered: 0 });
    expect(await sweeper.sweep()).toMatchObject({ redelivered: 3 });
    expect(await sweeper.sweep()).toMatchObject({ redelivered: 0 });
    expect(await world.rows('SELECT id FROM outbox')).toHaveLength(3);
    expect(await world.rows(`SELECT FROM job_stage WHERE due_at > now() - interval '31 seconds'`)).toEqual(
      [],
    );
  });

  it('fetches of an account at its limit get no messages, those below it as many as it may run', async () => {
    const many = await insertDueFetches(300);
    const few = await insertDueFetches(3);
    const claimed: unknown[] = [];
    for (let times = 0; times < 3; times += 1)
      claimed.push((await claimNextStage(world.dataSource, 'fetch', 60, 2))?.accountId);
    expect(claimed).toEqual([many, few, many]);
    const sweeper = createSweeper(EMPTY_QUEUE, { maxRunningPerAccount: { fetch: 2 } });
    const redelivered = [];
    for (let times = 0; times < 4; times += 1) redelivered.push((await sweeper.sweep()).redelivered);
    expect(redelivered).toEqual([0, 1, 0, 0]);
  });

  it('a message that a consumer has received for a stage that it is about to claim is not missing', async () => {
    await world.newJob();
    await world.newJob();
    await world.relay();
    await claimNextStage(world.dataSource, 'preprocess', 10);
    await world.rows(`UPDATE job_stage SET due_at = now() - interval '31 seconds' WHERE state = 'pending'`);
    const sweeper = createSweeper({ counts: async () => ({ waiting: 0, active: 2 }) });
    for (let times = 0; times < 3; times += 1)
      expect(await sweeper.sweep()).toMatchObject({ redelivered: 0 });
  });

  it('a sweep ends overdue jobs while the queue is unavailable', async () => {
    await world.newJob();
    await world.rows(
      `WITH overdue AS (UPDATE job SET deadline_at = now() - interval '1 second')
       UPDATE job_stage SET due_at = now() - interval '31 seconds'`,
    );
    const unavailable = { counts: () => Promise.reject(new QueueUnavailableError('count')) };
    expect(await createSweeper(unavailable).sweep()).toMatchObject({ redelivered: 0, expired: 1 });
  });

  it('an expired upload ends its job unless an upload session is active', async () => {
    const expired = await world.newJob({ enqueue: false });
    const pinged = await world.newJob({ enqueue: false });
    await world.rows(`UPDATE job SET upload_expires_at = now() - interval '1 second'`);
    await world.rows(
      `UPDATE job SET upload_session_until = now() + interval '10 seconds' WHERE id = $1`,
      pinged,
    );
    expect(await sweepOnce()).toMatchObject({ expired: 1 });
    const jobs = await world.rows('SELECT id, status, failed_stage FROM job ORDER BY created_at');
    expect(jobs).toEqual([
      { id: expired, status: 'failed', failed_stage: 'upload' },
      { id: pinged, status: 'processing', failed_stage: null },
    ]);
  });

  it.each(['ahead of', 'behind'])(
    'a job past its deadline fails at its current stage, with the clock of the process %s that of the database',
    async (direction) => {
      const overdue = await world.newJob();
      const other = await world.newJob();
      await world.rows(`UPDATE job SET deadline_at = now() + interval '30 minutes'`);
      await world.rows(`UPDATE job SET deadline_at = now() - interval '1 second' WHERE id = $1`, overdue);
      shiftClockOfProcess(direction === 'behind' ? -3_600 : 3_600);
      expect(await sweepOnce()).toMatchObject({ expired: 1 });
      const jobs = await world.rows('SELECT id, status, failed_stage FROM job ORDER BY deadline_at');
      expect(jobs).toEqual([
        { id: overdue, status: 'failed', failed_stage: 'preprocess' },
        { id: other, status: 'processing', failed_stage: null },
      ]);
    },
  );

  it('a sweep adds no second message while the first is still in the outbox', async () => {
    await world.newJob();
    const sweeper = createSweeper();
    for (let time = 0; time < 4; time += 1) {
      await world.rows(
        `WITH older AS (UPDATE outbox SET due_at = due_at - interval '31 seconds')
         UPDATE job_stage SET due_at = due_at - interval '31 seconds'`,
      );
      await sweeper.sweep();
    }
    expect(await world.rows('SELECT id FROM outbox')).toHaveLength(1);
  });

  it('a job that cannot be ended does not block the others, and its error is reported', async () => {
    const ids = [await world.newJob(), await world.newJob(), await world.newJob()];
    await world.rows(`UPDATE job SET deadline_at = now() - interval '1 second'`);
    const failingHooks: JobHooks = {
      ...world.hooks,
      onJobEnd: async (tx, job) => {
        if (job.id === ids[0]) throw new Error('cannot be ended');
        await world.hooks.onJobEnd(tx, job);
      },
    };
    await expect(
      new JobSweeper(world.dataSource, failingHooks, EMPTY_QUEUE, OPTIONS).sweep(),
    ).rejects.toThrow('cannot be ended');
    const ended = await world.rows(`SELECT id FROM job WHERE status = 'failed' ORDER BY created_at`);
    expect(ended).toEqual([{ id: ids[1] }, { id: ids[2] }]);
  });

  it('a job that concurrent sweeps end is counted once', async () => {
    for (let at = 0; at < 5; at += 1) await world.newJob();
    await world.rows(`UPDATE job SET deadline_at = now() - interval '1 second'`);
    const reports = await Promise.all(Array.from({ length: 4 }, sweepOnce));
    expect(reports.reduce((sum, { expired }) => sum + expired, 0)).toBe(5);
  });

  it('expired jobs are found by index, without reading every open job', async () => {
    await world.rows(
      `INSERT INTO job (id, account_id, created_at, source, options, audio_key, content_type, upload_expires_at)
       SELECT gen_random_uuid(), $1, now() + n * interval '1 microsecond', 'upload', '{}', 'a', 'b', now() + interval '1 hour'
       FROM generate_series(1, 5000) AS n`,
      world.accountId,
    );
    await world.rows('ANALYZE job');
    const plan = await readPlan(world.dataSource, `EXPLAIN ANALYZE ${SELECT_OVERDUE_JOBS_SQL}`);
    expect(plan).not.toContain('Seq Scan');
    expect(plan).not.toMatch(/Rows Removed by (Index Recheck|Filter): [1-9]\d{2,}/);
  });
});
