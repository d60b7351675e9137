import { describe, expect, it } from 'vitest';
import { type FinishedJobCursor, FinishedJobBatchRunner } from './finished-job-batch-runner.js';

const neverAborted = new AbortController().signal;

/** Rounds over jobs of these names, of which those in capitals fail, and what each pass did for whom. */
function rounds(names: string) {
  const jobs: FinishedJobCursor[] = [...names].map((id) => ({ id, finishedAt: 'x' }));
  const tried: string[] = [];
  const over = new FinishedJobBatchRunner({
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
      tried.push(id);
      if (id !== id.toLowerCase()) throw new Error(`not ${id}`);
    },
  });
  return { over, tried };
}

describe('FinishedJobBatchRunner', () => {
  it('processes every job and reports whether more may be left', async () => {
    const { over, tried } = rounds('abc');
    expect([await over.runBatch(neverAborted), await over.runBatch(neverAborted)]).toEqual([true, false]);
    expect(tried.join('')).toBe('abc');
  });

  it('continues after a batch whose jobs all fail, and retries that batch afterwards', async () => {
    const { over, tried } = rounds('ABc');
    await expect(over.runBatch(neverAborted)).rejects.toThrow('not A');
    expect(await over.runBatch(neverAborted)).toBe(false);
    await expect(over.runBatch(neverAborted)).rejects.toThrow('not A');
    expect(tried.join('')).toBe('ABcAB');
  });

  it('reports the first failed job, the number of failures and the cause', async () => {
    const { over } = rounds('ABc');
    const trouble = await over.runBatch(neverAborted).catch((error: unknown) => error);
    expect(trouble).toMatchObject({ message: 'job A: not A (one of 2)', cause: { message: 'not A' } });
  });

  it('stops between two jobs when it is aborted', async () => {
    const { over, tried } = rounds('abc');
    await expect(over.runBatch(AbortSignal.abort(new RangeError('stopped')))).rejects.toThrow('stopped');
    expect(tried).toEqual([]);
  });
});
