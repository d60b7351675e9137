import { type ObjectDeleter, deleteObjectsOfDeletedJob, findDeletedJobIdsDueForDeletion } from '@app/jobs';
import type { DataSource } from 'typeorm';
import { ErrorCollector } from './error-collector.js';

const BATCH_JOBS = 50;

/**
 * Deletes the objects of jobs whose rows were deleted, on request, by retention or with their account: those that could not be
 * deleted then, and those that were stored afterwards.
 * @returns true if there may be more
 * @throws the first error, with its job, after the batch; the reason of `stop` when it is aborted
 */
export async function deleteObjectsOfDeletedJobs(
  dataSource: DataSource,
  store: ObjectDeleter,
  stop: AbortSignal,
): Promise<boolean> {
  const due = await findDeletedJobIdsDueForDeletion(dataSource, BATCH_JOBS);
  const errors = new ErrorCollector(stop);
  let isBackupRunning = false;
  for (const id of due)
    await errors.run(`job ${id}`, async () => {
      isBackupRunning ||= !(await deleteObjectsOfDeletedJob(dataSource, store, id));
    });
  errors.throwIfFailed();
  return due.length === BATCH_JOBS && !isBackupRunning;
}
