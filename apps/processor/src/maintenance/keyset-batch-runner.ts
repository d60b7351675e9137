import { ErrorCollector } from './error-collector.js';

export interface FinishedJobCursor {
  id: string;
  /** As Postgres writes it: a `Date` would lose its microseconds. */
  finishedAt: string;
}

async function runWithoutLock(
  stop: AbortSignal,
  work: (stop: AbortSignal) => Promise<void>,
): Promise<boolean> {
  await work(stop);
  return true;
}

/** Before every job there is. */
const FIRST_CURSOR: FinishedJobCursor = {
  id: '00000000-0000-0000-0000-000000000000',
  finishedAt: '-infinity',
};

export interface KeysetBatchOptions<J extends FinishedJobCursor = FinishedJobCursor> {
  /** Jobs of one pass. */
  batch: number;
  /** The next `batch` jobs behind this one that something is to be done for, by `finished_at` and id. */
  fetchBatch: (last: FinishedJobCursor, batch: number) => Promise<J[]>;
  processJob: (job: J) => Promise<void>;
  /** Runs the work of a batch, or does not and answers false: it then comes again. Without it, it is simply run. */
  withLock?: (stop: AbortSignal, work: (stop: AbortSignal) => Promise<void>) => Promise<boolean>;
}

/**
 * Does something for ended jobs, the oldest first, a batch a pass, and begins anew behind the last one. A job for which
 * it fails keeps no other from it: it comes again in the next round, however many of its kind there are.
 */
export class KeysetBatchRunner<J extends FinishedJobCursor = FinishedJobCursor> {
  private cursor: FinishedJobCursor = FIRST_CURSOR;

  constructor(private readonly options: KeysetBatchOptions<J>) {}

  /**
   * @returns true when there may be more
   * @throws the first trouble, with its job, after the batch; the reason of `stop` when it is aborted
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

  /** @returns true when there may be more */
  private advance(jobs: J[]): boolean {
    const isWhole = jobs.length === this.options.batch;
    this.cursor = (isWhole && jobs.at(-1)) || FIRST_CURSOR;
    return isWhole;
  }
}
