import { ErrorCollector } from './error-collector.js';

export interface EndedJobCursor {
  id: string;
  /** Text of Postgres, because a `Date` would lose the microseconds. */
  finishedAt: string;
}

const FIRST_CURSOR: EndedJobCursor = {
  id: '00000000-0000-0000-0000-000000000000',
  finishedAt: '-infinity',
};

export interface EndedJobBatchOptions<J extends EndedJobCursor = EndedJobCursor> {
  batch: number;
  /** Returns the next `batch` jobs after the cursor by `finished_at` and id. */
  fetchBatch: (last: EndedJobCursor, batch: number) => Promise<J[]>;
  processJob: (job: J) => Promise<void>;
  /** Returns false if the batch must be repeated. */
  withLock: (stop: AbortSignal, work: (stop: AbortSignal) => Promise<void>) => Promise<boolean>;
}

/** Processes ended jobs oldest first, and starts over after the last one. A failed job is retried in the next round. */
export class EndedJobBatchRunner<J extends EndedJobCursor = EndedJobCursor> {
  private cursor: EndedJobCursor = FIRST_CURSOR;

  constructor(private readonly options: EndedJobBatchOptions<J>) {}

  /**
   * @returns true if there may be more
   * @throws the first error, with its job, after the batch; the reason of `stop` when it is aborted
   */
  async runBatch(stop: AbortSignal): Promise<boolean> {
    const { batch, fetchBatch, processJob, withLock } = this.options;
    const jobs = await fetchBatch(this.cursor, batch);
    if (jobs.length === 0) return this.advance(jobs);
    let isWhole = false;
    const isDone = await withLock(stop, async (until) => {
      const errors = new ErrorCollector(until);
      for (const job of jobs) await errors.run(`job ${job.id}`, () => processJob(job));
      isWhole = this.advance(jobs);
      errors.throwIfFailed();
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
