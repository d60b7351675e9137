import { Job, deleteUnlessBackupRuns } from '@app/database';
import { isFromEarlierAttempt, buildTranscriptPrefix, buildWorkPrefix } from '@app/jobs';
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

async function deleteObjects(
  store: ObjectStore,
  { id, audioKey, uploadId, resultKey }: JobWithAudio,
): Promise<void> {
  if (uploadId !== null) await store.abortMultipart(audioKey, uploadId);
  await store.delete(audioKey);
  await store.deletePrefix(buildWorkPrefix(id));
  if (resultKey === null) return;
  for await (const { key } of store.list(buildTranscriptPrefix(id)))
    if (isFromEarlierAttempt(key, resultKey)) await store.delete(key);
}

const TRANSCRIPT_BATCH_JOBS = 50;

/** The job stays completed. Objects are deleted before the row changes, so a crash repeats the deletion. */
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
      await dataSource.getRepository(Job).update({ id }, { resultKey: null, speakerNames: null });
    },
  });
}
