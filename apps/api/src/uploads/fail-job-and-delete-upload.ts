import { inTransaction } from '@app/database';
import {
  buildFailedOutcome,
  endJob,
  type JobHooks,
  type JobForApiRoutes,
  lockPendingUpload,
} from '@app/jobs';
import type { ObjectStore } from '@app/storage';
import type { DataSource } from 'typeorm';

export interface FailUploadDependencies {
  dataSource: DataSource;
  hooks: JobHooks;
  store: ObjectStore;
}

/**
 * Fails a job whose stored bytes cannot be processed, and deletes them. A job that a parallel completion has queued, with other
 * bytes, goes on.
 * @returns false if the job was queued or has ended
 */
export async function failJobAndDeleteUploadUnlessQueued(
  { dataSource, hooks, store }: FailUploadDependencies,
  { id, audioKey }: Pick<JobForApiRoutes, 'id' | 'audioKey'>,
  detail: string,
): Promise<boolean> {
  const failed = await inTransaction(
    dataSource,
    async (tx) =>
      (await lockPendingUpload(tx, id)) && endJob(tx, hooks, id, buildFailedOutcome('upload', detail)),
  );
  if (failed) await store.delete(audioKey);
  return failed;
}
