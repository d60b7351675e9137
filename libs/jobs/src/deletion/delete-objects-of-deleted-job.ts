import { deleteUnlessBackupRuns } from '@app/database';
import type { KeysAndPrefixesToDelete, ObjectStore } from '@app/storage';
import type { DataSource } from 'typeorm';
import { buildTranscriptPrefix, buildWorkPrefix } from '../stages/object-keys.js';
import {
  claimDeletedJob,
  type ClaimedDeletedJob,
  deleteRowsOrScheduleNextDeletions,
} from './deleted-job.repository.js';

export type ObjectDeleter = Pick<ObjectStore, 'abortMultipart' | 'deleteAll'>;

/** A backup needs these objects from its snapshot until it has read them. */
export const CONTENT_OF_DELETED_JOBS = ['audio', 'transcripts'] as const;

/**
 * Deletes audio, intermediate objects and transcripts. The row of `deleted_job` stays if more can be stored, and the
 * deletion is repeated, at least daily, until that has ended; of audio only, once all else is deleted and no worker can store
 * more. If the deletion fails, it is due again after a minute. No transaction is open meanwhile, but a connection is held.
 * @returns false, without a change, if a backup is being made, which needs the objects
 */
export async function deleteObjectsOfDeletedJob(
  dataSource: DataSource,
  store: ObjectDeleter,
  jobId: string,
): Promise<boolean> {
  const { signal } = new AbortController();
  return deleteUnlessBackupRuns(dataSource, CONTENT_OF_DELETED_JOBS, signal, async () => {
    const job = await claimDeletedJob(dataSource, jobId);
    if (!job) return;
    await abortMultipartUploadOfDeletedJob(store, job);
    await store.deleteAll(buildKeysAndPrefixesOfDeletedJob(job));
    await deleteRowsOrScheduleNextDeletions(dataSource, [job]);
  });
}

export async function abortMultipartUploadOfDeletedJob(
  store: ObjectDeleter,
  { audioKey, uploadId }: ClaimedDeletedJob,
): Promise<void> {
  if (uploadId !== null) await store.abortMultipart(audioKey, uploadId);
}

export function buildKeysAndPrefixesOfDeletedJob({
  id,
  audioKey,
  isOnlyAudioLeft,
}: ClaimedDeletedJob): KeysAndPrefixesToDelete {
  return {
    keys: [audioKey],
    prefixes: isOnlyAudioLeft ? [] : [buildWorkPrefix(id), buildTranscriptPrefix(id)],
  };
}
