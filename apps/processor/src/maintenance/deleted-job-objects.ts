import { forEachConcurrently } from '@app/async';
import { deleteUnlessBackupRuns } from '@app/database';
import {
  abortMultipartUploadOfDeletedJob,
  claimDueDeletedJobs,
  type ClaimedDeletedJob,
  CONTENT_OF_DELETED_JOBS,
  buildKeysAndPrefixesOfDeletedJob,
  hasDueDeletedJobs,
  type ObjectDeleter,
  deleteRowsOrScheduleNextDeletions,
} from '@app/jobs';
import type { KeysAndPrefixesToDelete } from '@app/storage';
import type { DataSource } from 'typeorm';
import { deleteTogetherOrOneByOne } from './delete-together-or-one-by-one.js';
import { ErrorCollector } from './error-collector.js';

/** Audio alone is one request of S3 for a thousand jobs; otherwise each job is listed. */
const BATCHES = [
  { isOnlyAudioLeft: false, limit: 50 },
  { isOnlyAudioLeft: true, limit: 1_000 },
];
const CONCURRENT_JOBS = 8;

/**
 * Deletes the objects of jobs whose rows were deleted, on request, by retention or with their account: those that could not be
 * deleted then, and those that were stored afterwards. A failed deletion does not delay those of later jobs.
 * @returns true if there may be more
 * @throws the first error, with its job, after the batch; the reason of `stop` when it is aborted
 */
export async function deleteObjectsOfDeletedJobs(
  dataSource: DataSource,
  store: ObjectDeleter,
  stop: AbortSignal,
): Promise<boolean> {
  if (!(await hasDueDeletedJobs(dataSource))) return false;
  let hasMore = false;
  await deleteUnlessBackupRuns(dataSource, CONTENT_OF_DELETED_JOBS, stop, async (until) => {
    const errors = new ErrorCollector(until);
    for (const batch of BATCHES) {
      until.throwIfAborted();
      const jobs = await claimDueDeletedJobs(dataSource, batch);
      hasMore ||= jobs.length === batch.limit;
      const planned = await planDeletions(store, jobs, errors);
      const deleted = new Set(await deleteTogetherOrOneByOne(store, planned, errors));
      const recorded = jobs.filter(({ id }) => deleted.has(id));
      if (recorded.length > 0) await deleteRowsOrScheduleNextDeletions(dataSource, recorded);
    }
    errors.throwIfFailed();
  });
  return hasMore;
}

async function planDeletions(
  store: ObjectDeleter,
  jobs: readonly ClaimedDeletedJob[],
  errors: ErrorCollector,
): Promise<Map<string, KeysAndPrefixesToDelete>> {
  const planned = new Map<string, KeysAndPrefixesToDelete>();
  await forEachConcurrently(jobs, CONCURRENT_JOBS, (job) =>
    errors.run(`job ${job.id}`, async () => {
      await abortMultipartUploadOfDeletedJob(store, job);
      planned.set(job.id, buildKeysAndPrefixesOfDeletedJob(job));
    }),
  );
  return planned;
}
