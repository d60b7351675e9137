import { deleteUnlessBackupRuns } from '@app/database';
import {
  buildTranscriptPrefix,
  deleteExpiredJobsByIds,
  deleteDetailsOfOldJobs,
  findExpiredJobIds,
} from '@app/jobs';
import type { ObjectStore } from '@app/storage';
import type { DataSource } from 'typeorm';

/** A job of ten hours has some thousand rows, most have ten. */
const BATCH_JOBS = 100;

export interface ExpiredJobAndDetailDeletionOptions {
  /** After the end of a job; 0 for ever. */
  jobDays: number;
  /** For its stages and all events but the last; never longer than the job. */
  jobDetailDays: number;
  /** Default 100. */
  batchJobs?: number;
}

/** Deletes old jobs, and before that their stages and events of progress. The ledger stays. */
export class ExpiredJobAndDetailDeletion {
  private readonly batchJobs: number;

  constructor(
    private readonly dataSource: DataSource,
    private readonly store: Pick<ObjectStore, 'deleteAll'>,
    private readonly options: ExpiredJobAndDetailDeletionOptions,
  ) {
    this.batchJobs = options.batchJobs ?? BATCH_JOBS;
  }

  /** @returns true if there may be more */
  async deleteDetails(): Promise<boolean> {
    const { jobDays, jobDetailDays } = this.options;
    const days = jobDays === 0 ? jobDetailDays : Math.min(jobDays, jobDetailDays);
    return (await deleteDetailsOfOldJobs(this.dataSource, days, this.batchJobs)) === this.batchJobs;
  }

  /**
   * Objects first: a crash repeats the deletion, but without the row nobody would know of them.
   * @returns true if there may be more
   */
  async deleteJobs(stop: AbortSignal): Promise<boolean> {
    const { dataSource, store, batchJobs } = this;
    const { jobDays } = this.options;
    if (jobDays === 0) return false;
    let ids: string[] = [];
    // A backup needs these objects from its snapshot until it has read them.
    await deleteUnlessBackupRuns(dataSource, 'transcripts', stop, async (until) => {
      ids = await findExpiredJobIds(dataSource, jobDays, batchJobs);
      if (ids.length === 0) return;
      await store.deleteAll({ keys: [], prefixes: ids.map(buildTranscriptPrefix) });
      until.throwIfAborted();
      await deleteExpiredJobsByIds(dataSource, ids);
    });
    return ids.length === batchJobs;
  }
}
