import { inTransaction } from '@app/database';
import {
  addOrRestartStages,
  claimNextStage,
  type ClaimedStage,
  completeStage,
  DependencyCrashedError,
  endJob,
  JobSweeper,
  type StageHandler,
} from '@app/jobs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createJobWorld, EMPTY_QUEUE, type World } from '../support/job-world.js';

const { signal } = new AbortController();
/** The default of `MAX_CRASHES`. */
const MAX_CRASHES = 10;
/** In which a process claims stages before one of them kills it. */
const LIFETIME_SECONDS = 5;
const MAX_PROCESSES = 200;

let world: World;
beforeAll(async () => void (world = await createJobWorld({ credits: 1_000_000 })));
afterAll(() => world.close());
beforeEach(() => world.clear());

const completingWork: StageHandler = async (stage) => async (tx) => {
  await completeStage(tx, stage, null);
  await endJob(tx, world.hooks, stage.jobId, { status: 'completed', resultKey: `by-${stage.fence}` });
};

/** The process dies, and with it all that it works on. */
const crashingWork: StageHandler = async (...given) => {
  await expireLeases();
  return completingWork(...given);
};

async function expireLeases(): Promise<void> {
  await world.rows(`UPDATE job_stage SET lease_until = now() - interval '1 second' WHERE state = 'running'`);
  const options = { redeliverSeconds: 3_600, leaseSeconds: 10 };
  await new JobSweeper(world.dataSource, world.hooks, EMPTY_QUEUE, options).sweep();
}

const run = (id: string, work: StageHandler) => world.run(id, 'preprocess', signal, work);

async function crash(id: string, times: number): Promise<void> {
  for (let crashes = 0; crashes < times; crashes += 1) expect(await run(id, crashingWork)).toBe('stale');
}

async function claimAllDue(): Promise<ClaimedStage[]> {
  const claimed: ClaimedStage[] = [];
  for (;;) {
    const stage = await claimNextStage(world.dataSource, 'preprocess', 60);
    if (!stage) return claimed;
    claimed.push(stage);
  }
}

/** @returns seconds by which the stages are delayed, and their messages */
const readDelays = () =>
  world.rows<{ delay: number; message: number }>(
    `SELECT extract(epoch FROM stage.due_at - now())::float8 AS delay, extract(epoch FROM outbox.due_at - now())::float8 AS message
     FROM job_stage stage JOIN outbox ON delivery_id = job_id || '-preprocess-f' || fence WHERE state = 'pending'`,
  );

describe('a stage whose process died', () => {
  it('goes on after as many crashes as failed attempts would end its job', async () => {
    const id = await world.newJob();
    await crash(id, 3);
    expect(await run(id, completingWork)).toBe('committed');
    expect(await world.row('SELECT attempts, crashes FROM job_stage')).toEqual({ attempts: 4, crashes: 3 });
  });

  it('has as many failed attempts as any other', async () => {
    const id = await world.newJob();
    await crash(id, 2);
    const outcomes = [];
    for (let attempt = 0; attempt < 3; attempt += 1)
      outcomes.push(await run(id, () => Promise.reject(new Error('broken'))));
    expect(outcomes).toEqual(['released', 'released', 'failed']);
    const reason = 'Processing failed several times; it was given up.';
    expect(await world.row('SELECT reason FROM job')).toEqual({ reason });
  });

  it('ends its job with a reason after as many crashes as are allowed, without another attempt', async () => {
    const id = await world.newJob();
    await crash(id, MAX_CRASHES);
    expect(await run(id, () => expect.unreachable('it was started again'))).toBe('failed');
    expect(await world.row('SELECT status, failed_stage, reason FROM job')).toEqual({
      status: 'failed',
      failed_stage: 'preprocess',
      reason: 'Processing this file ended the worker several times; it was given up.',
    });
  });

  it('is due at once after its first crash', async () => {
    await world.newJob();
    expect(await claimAllDue()).toHaveLength(1);
    await expireLeases();
    expect(await claimAllDue()).toHaveLength(1);
  });

  it.each([
    ['second', 1, 10],
    ['third', 2, 20],
    ['seventh', 6, 320],
    ['ninth', 8, 900],
    ['hundredth', 99, 900],
  ])(
    'runs again at another time than the others of its process after the %s crash',
    async (_, before, max) => {
      const stages = 30;
      for (let job = 0; job < stages; job += 1) await world.newJob();
      await world.rows('UPDATE job_stage SET crashes = $1', before);
      expect(await claimAllDue()).toHaveLength(stages);
      await expireLeases();
      const rows = await readDelays();
      for (const { delay, message } of rows) expect(message).toBe(delay);
      const delays = rows.map(({ delay }) => delay).toSorted((one, other) => one - other);
      expect(new Set(delays).size).toBe(stages);
      expect(delays.at(-1)).toBeLessThanOrEqual(max);
      expect(delays.at(-1)).toBeGreaterThan(max / 2);
      expect(delays[0]).toBeLessThan(max / 2);
    },
  );

  it('has no crashes after it has started over', async () => {
    const id = await world.newJob();
    await crash(id, 2);
    await world.rows(`UPDATE job_stage SET input = '{}'`);
    await inTransaction(world.dataSource, (tx) =>
      addOrRestartStages(tx, id, [{ name: 'preprocess', chunkIndex: 0, input: null }]),
    );
    expect(await world.row('SELECT attempts, crashes FROM job_stage')).toEqual({ attempts: 0, crashes: 0 });
  });

  it('is the only one to end its job, if it kills each process, while the others of these processes complete', async () => {
    const ids: string[] = [];
    for (let job = 0; job < 12; job += 1) ids.push(await world.newJob());
    const [, , , , killer = ''] = ids;
    const runner = world.runner();
    for (let processes = 0; (await countOpenJobs()) > 0; processes += 1) {
      expect(processes).toBeLessThan(MAX_PROCESSES);
      await advanceClockToNextStage();
      const claimed = await claimAllDue();
      for (const stage of claimed.toSorted((a) => (a.jobId === killer ? -1 : 1)))
        await runner.runClaimed(stage, signal, stage.jobId === killer ? crashingWork : completingWork);
    }
    expect(await world.rows(`SELECT id FROM job WHERE status = 'failed'`)).toEqual([{ id: killer }]);
    expect(await world.rows(`SELECT FROM job WHERE status = 'completed'`)).toHaveLength(11);
  });
});

async function countOpenJobs(): Promise<number> {
  return (await world.rows(`SELECT FROM job WHERE status = 'processing'`)).length;
}

/** By moving what is due. A process lives for some seconds then. */
async function advanceClockToNextStage(): Promise<void> {
  await world.rows(
    `UPDATE job_stage SET due_at = due_at - make_interval(secs => $1) - GREATEST('0', first - now())
     FROM (SELECT min(due_at) AS first FROM job_stage WHERE state = 'pending') next WHERE state = 'pending'`,
    LIFETIME_SECONDS,
  );
}

describe('a stage that may have taken its speech engine down', () => {
  const suspectedWork: StageHandler = () =>
    Promise.reject(new DependencyCrashedError(new Error('the server is gone')));

  it('counts a crash each time, not an attempt', async () => {
    const id = await world.newJob();
    for (let crashes = 1; crashes <= 3; crashes += 1) {
      expect(await run(id, suspectedWork)).toBe('released');
      expect(await world.row('SELECT attempts, crashes FROM job_stage')).toEqual({
        attempts: crashes,
        crashes,
      });
    }
    expect(await run(id, completingWork)).toBe('committed');
  });

  it('ends its job after as many as a stage whose process dies', async () => {
    const id = await world.newJob();
    for (let crashes = 0; crashes < MAX_CRASHES; crashes += 1)
      expect(await run(id, suspectedWork)).toBe('released');
    expect(await run(id, completingWork)).toBe('failed');
  });
});
