import { deleteUnlessBackupRuns, inTransaction } from '@app/database';
import { buildTranscriptPrefix, cancelJob, deleteEndedJobRow, type JobHooks } from '@app/jobs';
import type { ObjectStore } from '@app/storage';
import type { DataSource } from 'typeorm';
import {
  cancelPendingDeliveriesOfEndedAccounts,
  findJobsWithoutAudioOfEndedAccounts,
  findOpenJobIdsOfEndedAccounts,
} from './ended-account.repository.js';
import { EndedJobBatchRunner } from './ended-job-batch-runner.js';

const BATCH_JOBS = 50;
const BATCH_DELIVERIES = 1_000;

/** Deletes the jobs and webhook endpoints of accounts that have ended. Ledger, payments and audit log stay. */
export class EndedAccountJobDeletion {
  private readonly endedJobs: EndedJobBatchRunner;

  constructor(
    private readonly dataSource: DataSource,
    private readonly hooks: JobHooks,
    store: ObjectStore,
  ) {
    this.endedJobs = new EndedJobBatchRunner({
      batch: BATCH_JOBS,
      // A backup needs these objects from its snapshot until it has read them.
      withLock: (...options) => deleteUnlessBackupRuns(dataSource, 'transcripts', ...options),
      fetchBatch: (last, limit) => findJobsWithoutAudioOfEndedAccounts(dataSource, last, limit),
      processJob: async ({ id }) => {
        // Objects first: a crash repeats the deletion, but without the row nobody would know of them.
        await store.deletePrefix(buildTranscriptPrefix(id));
        await deleteEndedJobRow(dataSource, id);
      },
    });
  }

  /** @returns true if there may be more */
  async runBatch(stop: AbortSignal): Promise<boolean> {
    const open = await findOpenJobIdsOfEndedAccounts(this.dataSource, BATCH_JOBS);
    for (const id of open) {
      stop.throwIfAborted();
      // A job in its last stage completes, and is deleted then.
      await inTransaction(this.dataSource, (tx) => cancelJob(tx, this.hooks, id));
    }
    const cancelled = await cancelPendingDeliveriesOfEndedAccounts(this.dataSource, BATCH_DELIVERIES);
    return (await this.endedJobs.runBatch(stop)) || cancelled === BATCH_DELIVERIES;
  }
}
