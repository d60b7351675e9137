import { completeStage, countStep, StageFailure, StageRunner, type StageWork } from '@app/jobs';
import type { DataSource } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { jobWorld, type World } from '../support/job-world.js';

const never = new AbortController().signal;

let world: World;
beforeAll(async () => void (world = await jobWorld()));
afterAll(() => world.close());

const counting: StageWork = async (stage) => async (tx) => {
  await countStep(tx, stage.jobId, stage.name);
  await completeStage(tx, stage, null);
};

/** The data source, whose first transactions find Postgres away. */
function awayFor(transactions: number): DataSource {
  let left = transactions;
  const transaction = (work: never): Promise<unknown> => {
    if (left-- > 0) return Promise.reject(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }));
    return world.dataSource.transaction(work);
  };
  return Object.assign(Object.create(world.dataSource) as DataSource, { transaction });
}

function runnerOver(dataSource: DataSource): StageRunner {
  return new StageRunner({
    dataSource,
    effects: world.effects,
    leaseSeconds: 10,
    maxAttempts: 3,
    retrySeconds: 0,
    logger: { warn: () => undefined },
    committed: () => undefined,
  });
}

const stageOf = (id: string) => world.row('SELECT state, attempts FROM job_stage WHERE job_id = $1', id);

describe('a worker that lost its stage to another', () => {
  it('cannot end the job', async () => {
    const id = await world.newJob();
    const late: StageWork = async () => {
      await world.loseLease(id);
      expect(await world.run(id, 'preprocess', never, counting)).toBe('committed');
      throw new StageFailure('The address answered 403.');
    };
    expect(await world.run(id, 'preprocess', never, late)).toBe('stale');
    expect(await world.row('SELECT status FROM job WHERE id = $1', id)).toEqual({ status: 'processing' });
  });
});

describe('Postgres away for a moment', () => {
  it('costs no finished work: the commit waits for it', async () => {
    const id = await world.newJob();
    expect(await world.run(id, 'preprocess', never, counting, runnerOver(awayFor(2)))).toBe('committed');
    expect(await stageOf(id)).toEqual({ state: 'done', attempts: 1 });
  });

  it('does not turn a stage that is given back into one whose worker died', async () => {
    const id = await world.newJob();
    const stop = new AbortController();
    const cut: StageWork = () => Promise.reject(Object.assign(new Error('reset'), { code: 'ECONNRESET' }));
    expect(await world.run(id, 'preprocess', stop.signal, cut, runnerOver(awayFor(2)))).toBe('returned');
    expect(await stageOf(id)).toEqual({ state: 'pending', attempts: 0 });
  });

  it('does not hold up a process that must stop', async () => {
    const id = await world.newJob();
    const stop = new AbortController();
    const work: StageWork = () => {
      stop.abort();
      return Promise.reject(new Error('stopped'));
    };
    await expect(world.run(id, 'preprocess', stop.signal, work, runnerOver(awayFor(1_000)))).rejects.toThrow(
      'refused',
    );
  });
});
