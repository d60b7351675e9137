import { inTransaction } from '@app/database';
import { ServiceError } from '@app/errors';
import {
  buildFailedOutcome,
  finishJob,
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
 * @throws ServiceError, the response to the completion, unless the job was queued or has ended
 */
export async function failPendingUploadAndThrow(
  { dataSource, hooks, store }: FailUploadDependencies,
  { id, audioKey }: Pick<JobForApiRoutes, 'id' | 'audioKey'>,
  code: 'upload_incomplete' | 'upload_too_large',
  detail: string,
): Promise<void> {
  const failed = await inTransaction(
    dataSource,
    async (tx) =>
      (await lockPendingUpload(tx, id)) && finishJob(tx, hooks, id, buildFailedOutcome('upload', detail)),
  );
  if (!failed) return;
  await store.delete(audioKey);
  throw new ServiceError(code, { detail });
}
