import { Job, deleteUnlessBackupRuns, inTransaction } from '@app/database';
import {
  buildTranscriptPrefix,
  deleteJobAudio,
  deleteTranscriptCorrections,
  isFromEarlierAttempt,
} from '@app/jobs';
import type { ObjectStore } from '@app/storage';
import type { DataSource } from 'typeorm';
import { findJobsWithAudio, type JobWithAudio, findJobsWithOldTranscript } from './job-objects.repository.js';
import { FinishedJobBatchRunner } from './finished-job-batch-runner.js';

const AUDIO_BATCH_JOBS = 20;

/**
 * Deletes audio, intermediate objects and transcripts of attempts before the published one. Transcripts of incomplete
 * jobs stay: a restored older database may record a completed job as incomplete. `quietSeconds` pass until no worker
 * can be writing for a failed or cancelled job.
 */
export function createAudioDeletion(
  dataSource: DataSource,
  store: ObjectStore,
  quietSeconds: number,
  batch = AUDIO_BATCH_JOBS,
): FinishedJobBatchRunner<JobWithAudio> {
  return new FinishedJobBatchRunner({
    batch,
    // A backup needs these objects from its snapshot until it has read them.
    withLock: (...options) => deleteUnlessBackupRuns(dataSource, 'audio', ...options),
    fetchBatch: (last, limit) => findJobsWithAudio(dataSource, quietSeconds, last, limit),
    processJob: async (job) => {
      await deleteObjects(store, job);
      await dataSource.getRepository(Job).update({ id: job.id }, { audioDeletedAt: () => 'now()' });
    },
  });
}

async function deleteObjects(store: ObjectStore, job: JobWithAudio): Promise<void> {
  await deleteJobAudio(store, job);
  const { id, resultKey } = job;
  if (resultKey === null) return;
  for await (const { key } of store.list(buildTranscriptPrefix(id)))
    if (isFromEarlierAttempt(key, resultKey)) await store.delete(key);
}

const TRANSCRIPT_BATCH_JOBS = 50;

/**
 * After the retention period of the service or of the account, whichever is shorter. The job stays completed. Objects
 * are deleted before the row changes, so a crash repeats the deletion.
 * @param days of the service; 0 for ever
 */
export function createTranscriptDeletion(
  dataSource: DataSource,
  store: ObjectStore,
  days: number,
  batch = TRANSCRIPT_BATCH_JOBS,
): FinishedJobBatchRunner {
  return new FinishedJobBatchRunner({
    batch,
    // A backup needs these objects from its snapshot until it has read them.
    withLock: (...options) => deleteUnlessBackupRuns(dataSource, 'transcripts', ...options),
    fetchBatch: (last, limit) => findJobsWithOldTranscript(dataSource, days, last, limit),
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
