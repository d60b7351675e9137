import { describe, expect, it } from 'vitest';
import { type EndedJobCursor, EndedJobBatchRunner } from './ended-job-batch-runner.js';

const neverAborted = new AbortController().signal;

/** A runner with a batch size of 2, over one job for each letter of `names`; jobs in capitals fail. */
function createRunner(names: string) {
  const jobs: EndedJobCursor[] = [...names].map((id) => ({ id, finishedAt: 'x' }));
  const processed: string[] = [];
  const runner = new EndedJobBatchRunner({
    batch: 2,
    withLock: async (until, work) => {
      await work(until);
      return true;
    },
    fetchBatch: async (last, batch) => {
      const from = jobs.findIndex(({ id }) => id === last.id) + 1;
      return jobs.slice(from, from + batch);
    },
    processJob: async ({ id }) => {
      processed.push(id);
      if (id !== id.toLowerCase()) throw new Error(`not ${id}`);
    },
  });
  return { runner, processed };
}

describe('EndedJobBatchRunner', () => {
  it('processes every job and reports whether more may be left', async () => {
    const { runner, processed } = createRunner('abc');
    expect([await runner.runBatch(neverAborted), await runner.runBatch(neverAborted)]).toEqual([true, false]);
    expect(processed.join('')).toBe('abc');
  });

  it('continues after a batch whose jobs all fail, and retries that batch afterwards', async () => {
    const { runner, processed } = createRunner('ABc');
    await expect(runner.runBatch(neverAborted)).rejects.toThrow('not A');
    expect(await runner.runBatch(neverAborted)).toBe(false);
    await expect(runner.runBatch(neverAborted)).rejects.toThrow('not A');
    expect(processed.join('')).toBe('ABcAB');
  });

  it('reports the first failed job, the number of failures and the cause', async () => {
    const { runner } = createRunner('ABc');
    const failure = await runner.runBatch(neverAborted).catch((error: unknown) => error);
    expect(failure).toMatchObject({ message: 'job A: not A (one of 2)', cause: { message: 'not A' } });
  });

  it('stops between two jobs when it is aborted', async () => {
    const { runner, processed } = createRunner('abc');
    await expect(runner.runBatch(AbortSignal.abort(new RangeError('stopped')))).rejects.toThrow('stopped');
    expect(processed).toEqual([]);
  });
});
