import { inTransaction, tryLockOutBackups } from '@app/database';
import type { ObjectStore } from '@app/storage';
import type { DataSource } from 'typeorm';
import { buildTranscriptPrefix, buildWorkPrefix } from '../stages/object-keys.js';
import { deleteDeletedJobRow, scheduleNextDeletion, tryLockDeletedJob } from './deleted-job.repository.js';

export type ObjectDeleter = Pick<ObjectStore, 'abortMultipart' | 'deleteAll'>;

/**
 * Deletes audio, intermediate objects and transcripts. The row of `deleted_job` stays if more can be stored, and the
 * deletion is repeated, at least daily, until that has ended; of audio only, once all else is deleted and no worker can store
 * more. If the deletion fails, it is due again at once.
 * @returns false, without a change, if a backup is being made, which needs the objects
 */
export async function deleteObjectsOfDeletedJob(
  dataSource: DataSource,
  store: ObjectDeleter,
  jobId: string,
): Promise<boolean> {
  return inTransaction(dataSource, async (tx) => {
    const job = await tryLockDeletedJob(tx, jobId);
    if (!job) return true;
    if (!(await tryLockOutBackups(tx, ['audio', 'transcripts']))) return false;
    const { audioKey, uploadId, isFinal, isOnlyAudioLeft } = job;
    if (uploadId !== null) await store.abortMultipart(audioKey, uploadId);
    await store.deleteAll({
      keys: [audioKey],
      prefixes: isOnlyAudioLeft ? [] : [buildWorkPrefix(jobId), buildTranscriptPrefix(jobId)],
    });
    if (isFinal) await deleteDeletedJobRow(tx, jobId);
    else await scheduleNextDeletion(tx, jobId);
    return true;
  });
}
