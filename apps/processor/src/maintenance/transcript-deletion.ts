import { Job, deleteUnlessBackupRuns, inTransaction } from '@app/database';
import { buildTranscriptPrefix, deleteTranscriptCorrections } from '@app/jobs';
import type { ObjectStore } from '@app/storage';
import type { DataSource } from 'typeorm';
import { listJobsWithExpiredTranscript } from './job-objects.repository.js';
import { EndedJobBatchRunner } from './ended-job-batch-runner.js';

const TRANSCRIPT_BATCH_JOBS = 50;

/**
 * After the retention period of the service or of the account, whichever is shorter. The job stays completed. Objects
 * are deleted before the row changes, so a crash repeats the deletion.
 * @param days of the service; 0 for ever
 */
export function createExpiredTranscriptDeletionRunner(
  dataSource: DataSource,
  store: ObjectStore,
  days: number,
  batch = TRANSCRIPT_BATCH_JOBS,
): EndedJobBatchRunner {
  return new EndedJobBatchRunner({
    batch,
    // A backup needs these objects from its snapshot until it has read them.
    withLock: (...options) => deleteUnlessBackupRuns(dataSource, 'transcripts', ...options),
    fetchBatch: (last, limit) => listJobsWithExpiredTranscript(dataSource, days, last, limit),
    processJob: async ({ id }) => {
      await store.deletePrefix(buildTranscriptPrefix(id));
      await markTranscriptDeleted(dataSource, id);
    },
  });
}

/** Corrections quote the transcript, so they end with it. */
function markTranscriptDeleted(dataSource: DataSource, id: string): Promise<void> {
  return inTransaction(dataSource, async (tx) => {
    await tx.update(Job, { id }, { resultKey: null, speakerNames: null });
    await deleteTranscriptCorrections(tx, id);
  });
}
