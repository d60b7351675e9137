import { ErrorCollector } from './error-collector.js';

export interface FinishedJobCursor {
  id: string;
  /** Text of Postgres, because a `Date` would lose the microseconds. */
  finishedAt: string;
}

async function runWithoutLock(
  stop: AbortSignal,
  work: (stop: AbortSignal) => Promise<void>,
): Promise<boolean> {
  await work(stop);
  return true;
}

/** A cursor before every job. */
const FIRST_CURSOR: FinishedJobCursor = {
  id: '00000000-0000-0000-0000-000000000000',
  finishedAt: '-infinity',
};

export interface KeysetBatchOptions<J extends FinishedJobCursor = FinishedJobCursor> {
  /** Number of jobs of one batch. */
  batch: number;
  /** Fetches the next `batch` jobs after the cursor that need work, by `finished_at` and id. */
  fetchBatch: (last: FinishedJobCursor, batch: number) => Promise<J[]>;
  processJob: (job: J) => Promise<void>;
  /**
   * Runs the work of a batch, or returns false and the batch comes again. Without it, the work always runs.
   */
  withLock?: (stop: AbortSignal, work: (stop: AbortSignal) => Promise<void>) => Promise<boolean>;
}

/**
 * Processes ended jobs in batches, oldest first, and starts over after the last one. A job that fails does not
 * block others: it comes again in the next round.
 */
export class KeysetBatchRunner<J extends FinishedJobCursor = FinishedJobCursor> {
  private cursor: FinishedJobCursor = FIRST_CURSOR;

  constructor(private readonly options: KeysetBatchOptions<J>) {}

  /**
   * @returns true if there may be more
   * @throws the first error, with its job, after the batch; the reason of `stop` when it is aborted
   */
  async runBatch(stop: AbortSignal): Promise<boolean> {
    const { batch, fetchBatch: next, processJob: work, withLock: guard = runWithoutLock } = this.options;
    const jobs = await next(this.cursor, batch);
    if (jobs.length === 0) return this.advance(jobs);
    let isWhole = false;
    const isDone = await guard(stop, async (until) => {
      const attempts = new ErrorCollector(until);
      for (const job of jobs) await attempts.run(`job ${job.id}`, () => work(job));
      isWhole = this.advance(jobs);
      attempts.throwIfFailed();
    });
    return isDone && isWhole;
  }

  /** @returns true if there may be more */
  private advance(jobs: J[]): boolean {
    const isWhole = jobs.length === this.options.batch;
    this.cursor = (isWhole && jobs.at(-1)) || FIRST_CURSOR;
    return isWhole;
  }
}
