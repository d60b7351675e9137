import { Attempts } from './attempts.js';

export interface EndedJob {
  id: string;
  /** As Postgres writes it: a `Date` would lose its microseconds. */
  finishedAt: string;
}

async function unguarded(stop: AbortSignal, work: (stop: AbortSignal) => Promise<void>): Promise<boolean> {
  await work(stop);
  return true;
}

/** Before every job there is. */
const START: EndedJob = { id: '00000000-0000-0000-0000-000000000000', finishedAt: '-infinity' };

export interface JobRoundsOptions<J extends EndedJob = EndedJob> {
  /** Jobs of one pass. */
  batch: number;
  /** The next `batch` jobs behind this one that something is to be done for, by `finished_at` and id. */
  next: (last: EndedJob, batch: number) => Promise<J[]>;
  work: (job: J) => Promise<void>;
  /** Runs the work of a batch, or does not and answers false: it then comes again. Without it, it is simply run. */
  guard?: (stop: AbortSignal, work: (stop: AbortSignal) => Promise<void>) => Promise<boolean>;
}

/**
 * Does something for ended jobs, the oldest first, a batch a pass, and begins anew behind the last one. A job for which
 * it fails keeps no other from it: it comes again in the next round, however many of its kind there are.
 */
export class JobRounds<J extends EndedJob = EndedJob> {
  private last: EndedJob = START;

  constructor(private readonly options: JobRoundsOptions<J>) {}

  /**
   * @returns true when there may be more
   * @throws the first trouble, with its job, after the batch; the reason of `stop` when it is aborted
   */
  async pass(stop: AbortSignal): Promise<boolean> {
    const { batch, next, work, guard = unguarded } = this.options;
    const jobs = await next(this.last, batch);
    if (jobs.length === 0) return this.passed(jobs);
    let isWhole = false;
    const isDone = await guard(stop, async (until) => {
      const attempts = new Attempts(until);
      for (const job of jobs) await attempts.make(`job ${job.id}`, () => work(job));
      isWhole = this.passed(jobs);
      attempts.end();
    });
    return isDone && isWhole;
  }

  /** @returns true when there may be more */
  private passed(jobs: J[]): boolean {
    const isWhole = jobs.length === this.options.batch;
    this.last = (isWhole && jobs.at(-1)) || START;
    return isWhole;
  }
}
