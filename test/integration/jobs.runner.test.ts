import { inTransaction, getPgPool } from '@app/database';
import {
  addOrRestartStages,
  type ClaimedStage,
  claimNextStage,
  type CommitPartialResult,
  completeStage,
  recordCompletedStep,
  renewLeases,
  UnrecoverableStageError,
  DependencyUnavailableError,
  ReturnMessageToQueueError,
  StageRunner,
  type StageHandler,
} from '@app/jobs';
import type { DataSource } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createJobWorld, type World } from '../support/job-world.js';

const neverAborted = new AbortController().signal;

let world: World;
beforeAll(async () => void (world = await createJobWorld()));
afterAll(() => world.close());

const completeStepWork: StageHandler = async (stage) => async (tx) => {
  await recordCompletedStep(tx, stage.jobId, stage.name);
  await completeStage(tx, stage, null);
};

/** A data source whose first transactions fail because Postgres is unavailable. */
function createUnavailableDataSource(transactions: number): DataSource {
  let remainingFailures = transactions;
  const createQueryRunner = () => {
    if (remainingFailures-- > 0) throw Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
    return world.dataSource.createQueryRunner();
  };
  return Object.assign(Object.create(world.dataSource) as DataSource, { createQueryRunner });
}

function createRunner(
  dataSource: DataSource,
  changes: Partial<ConstructorParameters<typeof StageRunner>[0]> = {},
): StageRunner {
  return new StageRunner({
    dataSource,
    hooks: world.hooks,
    leaseSeconds: 10,
    stageTimeoutSeconds: 60,
    maxAttempts: 3,
    maxCrashes: 10,
    retryDelaySeconds: 0,
    logger: { info: () => undefined, warn: () => undefined },
    onCommitted: () => undefined,
    ...changes,
  });
}

const readStage = (id: string) => world.row('SELECT state, attempts FROM job_stage WHERE job_id = $1', id);

describe('a worker whose stage was completed by another', () => {
  it('the worker cannot end the job', async () => {
    const id = await world.newJob();
    const lateWork: StageHandler = async () => {
      await world.loseLease(id);
      expect(await world.run(id, 'preprocess', neverAborted, completeStepWork)).toBe('committed');
      throw new UnrecoverableStageError('The address answered 403.');
    };
    expect(await world.run(id, 'preprocess', neverAborted, lateWork)).toBe('stale');
    expect(await world.row('SELECT status FROM job WHERE id = $1', id)).toEqual({ status: 'processing' });
  });
});

describe('a worker whose stage is leased by another', () => {
  it('the worker commits no result', () =>
    expectStale(async (stage) => (tx) => completeStage(tx, stage, { late: true })));
  it('the worker does not release the stage', () => expectStale(() => Promise.reject(new Error('late'))));
  it('the worker does not end the job', () =>
    expectStale(() => Promise.reject(new UnrecoverableStageError('late'))));
  it('the worker commits no partial result', () =>
    expectStale(async (stage, commitPartialResult) => {
      await commitPartialResult(async (tx) => {
        await tx.query(`UPDATE job SET status = 'failed' WHERE id = $1`, [stage.jobId]);
      });
      return expect.unreachable('it was committed');
    }));

  it('the worker does not renew the lease of the other worker', async () => {
    const id = await world.newJob();
    const first = await claimPreprocess(id);
    await world.loseLease(id);
    await claimPreprocess(id);
    expect(await renewLeases(world.dataSource, [first], 1_000)).toEqual([]);
    const [row] = await world.rows<{ far: boolean }>(
      `SELECT lease_until > now() + interval '100 seconds' AS far FROM job_stage WHERE job_id = $1`,
      id,
    );
    expect(row).toEqual({ far: false });
  });

  async function expectStale(
    lateWork: (stage: ClaimedStage, commitPartialResult: CommitPartialResult) => ReturnType<StageHandler>,
  ): Promise<void> {
    const id = await world.newJob();
    const losesLease: StageHandler = async (stage, _, commitPartialResult) => {
      await world.loseLease(id);
      await claimPreprocess(id);
      return lateWork(stage, commitPartialResult);
    };
    expect(await world.run(id, 'preprocess', neverAborted, losesLease)).toBe('stale');
    const row = await world.row(
      `SELECT stage.state, fence, result, status FROM job_stage stage JOIN job ON id = job_id WHERE id = $1`,
      id,
    );
    expect(row).toEqual({ state: 'running', fence: 3, result: null, status: 'processing' });
  }

  async function claimPreprocess(id: string): Promise<ClaimedStage> {
    await world.rows(`UPDATE job_stage SET due_at = 'infinity' WHERE state = 'pending' AND job_id <> $1`, id);
    return (await claimNextStage(world.dataSource, 'preprocess', 10)) ?? expect.unreachable('nothing is due');
  }
});

describe('a stage that never ends and ignores the abort signal', () => {
  const endless: StageHandler = () => new Promise(() => undefined);

  it.each(['preprocess', 'chunk:0', 'aggregation'] as const)(
    'a hanging %s stage is retried, and its job fails after the last attempt',
    async (name) => {
      const id = await world.newJob({ enqueue: false });
      await inTransaction(world.dataSource, (tx) =>
        addOrRestartStages(tx, id, [{ name, chunkIndex: 0, input: null }]),
      );
      const results = [];
      for (let start = 0; start < 3; start += 1)
        results.push(
          await world.run(id, name, neverAborted, endless, world.runner({ stageTimeoutSeconds: 0.05 })),
        );
      expect(results).toEqual(['released', 'released', 'failed']);
      expect(await world.row('SELECT failed_stage, reason FROM job WHERE id = $1', id)).toEqual({
        failed_stage: name,
        reason: 'A step of processing took too long several times; it was given up.',
      });
      expect(
        await world.row(
          "SELECT data ->> 'given_up' AS given_up FROM job_event WHERE job_id = $1 AND type = 'failed'",
          id,
        ),
      ).toEqual({ given_up: 'slow' });
    },
  );
});

it.each([new UnrecoverableStageError('The address answered 403.'), new Error('The engine answered 413.')])(
  'the error of the attempt that ends a job is stored for operators: %s',
  async (failure) => {
    const id = await world.newJob();
    const failing: StageHandler = () => Promise.reject(failure);
    const lastAttempt = world.runner({ maxAttempts: 1 });
    expect(await world.run(id, 'preprocess', neverAborted, failing, lastAttempt)).toBe('failed');
    const stage = await world.row(
      `SELECT last_error FROM job_stage WHERE job_id = $1 AND name = 'preprocess'`,
      id,
    );
    expect(stage).toEqual({ last_error: failure.message });
  },
);

it('a stage whose dependency is unavailable is released without a counted attempt, however often', async () => {
  const id = await world.newJob();
  const waiting: StageHandler = () =>
    Promise.reject(new DependencyUnavailableError(new Error('nobody listens there')));
  for (let time = 0; time < 5; time += 1) {
    expect(await world.run(id, 'preprocess', neverAborted, waiting)).toBe('released');
    expect(await readStage(id)).toEqual({ state: 'pending', attempts: 0 });
  }
  expect(await world.run(id, 'preprocess', neverAborted, completeStepWork)).toBe('committed');
});

describe('a short outage of Postgres', () => {
  it('a claim waits for Postgres, and the queue message is not lost', async () => {
    const id = await world.newJob();
    const query = vi.spyOn(getPgPool(world.dataSource), 'query');
    onTestFinished(() => query.mockRestore());
    for (let time = 0; time < 2; time += 1)
      query.mockRejectedValueOnce(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }));
    expect(await world.run(id, 'preprocess', neverAborted, completeStepWork)).toBe('committed');
    expect(query).toHaveBeenCalledTimes(3);
  });

  it('a commit waits for Postgres, and finished work is not lost', async () => {
    const id = await world.newJob();
    expect(
      await world.run(
        id,
        'preprocess',
        neverAborted,
        completeStepWork,
        createRunner(createUnavailableDataSource(2)),
      ),
    ).toBe('committed');
    expect(await readStage(id)).toEqual({ state: 'done', attempts: 1 });
  });

  it('a release waits for Postgres, and the attempt is not counted', async () => {
    const id = await world.newJob();
    const stop = new AbortController();
    const failsWithReset: StageHandler = () =>
      Promise.reject(Object.assign(new Error('reset'), { code: 'ECONNRESET' }));
    expect(
      await world.run(
        id,
        'preprocess',
        stop.signal,
        failsWithReset,
        createRunner(createUnavailableDataSource(2)),
      ),
    ).toBe('released');
    expect(await readStage(id)).toEqual({ state: 'pending', attempts: 0 });
  });

  it('an outage does not block a process that must stop', async () => {
    const id = await world.newJob();
    const stop = new AbortController();
    const work: StageHandler = () => {
      stop.abort();
      return Promise.reject(new Error('stopped'));
    };
    await expect(
      world.run(id, 'preprocess', stop.signal, work, createRunner(createUnavailableDataSource(1_000))),
    ).rejects.toThrow('refused');
  });

  describe('with a queue on another server', () => {
    const refused = () => Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
    const catchReturned = async (work: Promise<unknown>): Promise<ReturnMessageToQueueError> => {
      const error = await work.catch((reason: unknown) => reason);
      if (!(error instanceof ReturnMessageToQueueError))
        throw new Error('no message was returned', { cause: error });
      return error;
    };

    it('a message is returned if nothing can be claimed, and resumed when the database answers', async () => {
      const id = await world.newJob();
      const runner = createRunner(world.dataSource, { returnsMessages: true });
      const query = vi.spyOn(getPgPool(world.dataSource), 'query');
      onTestFinished(() => query.mockRestore());
      query.mockRejectedValueOnce(refused());
      const run = () => world.run(id, 'preprocess', neverAborted, completeStepWork, runner);
      const { resumed } = await catchReturned(run());
      expect(await readStage(id)).toEqual({ state: 'pending', attempts: 0 });
      query.mockRejectedValueOnce(refused());
      await resumed;
      // The failed claim, and two probes.
      expect(query.mock.calls.length).toBeGreaterThanOrEqual(3);
      expect(await run()).toBe('committed');
    });

    it('a message that waits for something else is returned when a commit finds the database unavailable', async () => {
      const id = await world.newJob();
      const runner = createRunner(createUnavailableDataSource(1), { returnsMessages: true });
      const waitForever = (stop: AbortSignal) =>
        new Promise((_, reject) => stop.addEventListener('abort', () => reject(stop.reason as Error)));
      const returned = catchReturned(runner.waitBeforeClaim(waitForever, neverAborted));
      expect(await world.run(id, 'preprocess', neverAborted, completeStepWork, runner)).toBe('committed');
      await (
        await returned
      ).resumed;
      expect(await runner.waitBeforeClaim(() => Promise.resolve('waited'), neverAborted)).toBe('waited');
    });
  });
});
