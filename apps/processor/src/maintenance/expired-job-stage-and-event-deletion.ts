import { deleteUnlessBackupRuns } from '@app/database';
import {
  buildTranscriptPrefix,
  deleteExpiredJobsByIds,
  deleteStagesAndEventsOfOldJobs,
  findExpiredJobIds,
} from '@app/jobs';
import type { ObjectStore } from '@app/storage';
import type { DataSource } from 'typeorm';
import { deleteTogetherOrOneByOne } from './delete-together-or-one-by-one.js';
import { ErrorCollector } from './error-collector.js';

/** A job of ten hours has some thousand rows, most have ten. */
const BATCH_JOBS = 100;
const MAX_FAILED_JOBS = 10_000;

export interface ExpiredJobStageAndEventDeletionOptions {
  /** After the end of a job; 0 for ever. */
  jobDays: number;
  /** For its stages and all events but the last; never longer than the job. */
  jobDetailDays: number;
  /** Default 100. */
  batchJobs?: number;
}

/** Deletes old jobs, and before that their stages and events of progress. The ledger stays. */
export class ExpiredJobStageAndEventDeletion {
  private readonly batchJobs: number;
  private readonly failed = new Set<string>();

  constructor(
    private readonly dataSource: DataSource,
    private readonly store: Pick<ObjectStore, 'deleteAll'>,
    private readonly options: ExpiredJobStageAndEventDeletionOptions,
  ) {
    this.batchJobs = options.batchJobs ?? BATCH_JOBS;
  }

  /** @returns true if there may be more */
  async deleteStagesAndEvents(): Promise<boolean> {
    const { jobDays, jobDetailDays } = this.options;
    const days = jobDays === 0 ? jobDetailDays : Math.min(jobDays, jobDetailDays);
    return (await deleteStagesAndEventsOfOldJobs(this.dataSource, days, this.batchJobs)) === this.batchJobs;
  }

  /**
   * Objects first: a crash repeats the deletion, but without the row nobody would know of them.
   * @returns true if there may be more
   * @throws the first error, with its job, after the batch
   */
  async deleteJobs(stop: AbortSignal): Promise<boolean> {
    const { dataSource, store, batchJobs } = this;
    const { jobDays } = this.options;
    if (jobDays === 0) return false;
    let isWhole = false;
    // A backup needs these objects from its snapshot until it has read them.
    await deleteUnlessBackupRuns(dataSource, 'transcripts', stop, async (until) => {
      const ids = await findExpiredJobIds(dataSource, jobDays, batchJobs, [...this.failed]);
      isWhole = ids.length === batchJobs;
      const errors = new ErrorCollector(until);
      const planned = new Map(ids.map((id) => [id, { keys: [], prefixes: [buildTranscriptPrefix(id)] }]));
      const deleted = await deleteTogetherOrOneByOne(store, planned, errors);
      until.throwIfAborted();
      if (deleted.length > 0) await deleteExpiredJobsByIds(dataSource, deleted);
      if (isWhole) this.postpone(ids.filter((id) => !deleted.includes(id)));
      else this.failed.clear();
      errors.throwIfFailed();
    });
    return isWhole;
  }

  /** Until a round has come to the newest job, so that they do not stand before the others. */
  private postpone(ids: readonly string[]): void {
    if (this.failed.size > MAX_FAILED_JOBS) this.failed.clear();
    for (const id of ids) this.failed.add(id);
  }
}
