import { Job, withDeletionLock } from '@app/database';
import { isFromEarlierAttempt, buildTranscriptPrefix, buildWorkPrefix } from '@app/jobs';
import type { ObjectStore } from '@app/storage';
import type { DataSource } from 'typeorm';
import { findJobsWithAudio, type JobWithAudio } from './job-objects.repository.js';
import { KeysetBatchRunner } from './keyset-batch-runner.js';

const BATCH = 20;

/**
 * Deletes the audio and intermediate objects of ended jobs, and the transcripts of attempts before the published
 * one. A transcript of a job that did not complete is an orphan, because a restored older database may say so of a
 * completed job. A failed or cancelled job is left alone for `quietSeconds`, until no worker can be writing for
 * it. A crash repeats the deletion.
 */
export function createAudioDeletion(
  dataSource: DataSource,
  store: ObjectStore,
  quietSeconds: number,
  batch = BATCH,
): KeysetBatchRunner<JobWithAudio> {
  return new KeysetBatchRunner({
    batch,
    // A backup needs these objects from its snapshot until it has read them.
    withLock: (...given) => withDeletionLock(dataSource, 'audio', ...given),
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
