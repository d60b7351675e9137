import { Job, withDeletionLock } from '@app/database';
import { buildTranscriptPrefix } from '@app/jobs';
import type { ObjectStore } from '@app/storage';
import type { DataSource } from 'typeorm';
import { findJobsWithOldTranscript } from './job-objects.repository.js';
import { KeysetBatchRunner } from './keyset-batch-runner.js';

const BATCH = 50;

/**
 * Deletes the transcripts of jobs that completed more than the given number of days ago. The job stays completed,
 * without a transcript. Objects are deleted before the row changes, so a crash repeats the deletion.
 */
export function createTranscriptDeletion(
  dataSource: DataSource,
  store: ObjectStore,
  days: number,
  batch = BATCH,
): KeysetBatchRunner {
  return new KeysetBatchRunner({
    batch,
    // A backup needs these objects from its snapshot until it has read them.
    withLock: (...given) => withDeletionLock(dataSource, 'transcripts', ...given),
    fetchBatch: (last, limit) => findJobsWithOldTranscript(dataSource, days, last, limit),
    processJob: async ({ id }) => {
      await store.deletePrefix(buildTranscriptPrefix(id));
      await dataSource.getRepository(Job).update({ id }, { resultKey: null, speakerNames: null });
    },
  });
}
