import { inTransaction } from '@app/database';
import { ServiceError } from '@app/errors';
import { buildFailedOutcome, finishJob, type JobHooks, type JobView } from '@app/jobs';
import type { ObjectStore } from '@app/storage';
import type { DataSource } from 'typeorm';

export interface FailUploadDependencies {
  dataSource: DataSource;
  hooks: JobHooks;
  store: ObjectStore;
}

/**
 * Fails a job whose stored bytes cannot be processed, and deletes them.
 * @throws ServiceError always: the response to the completion
 */
export async function failInvalidUploadAndThrow(
  { dataSource, hooks, store }: FailUploadDependencies,
  { id, audioKey }: Pick<JobView, 'id' | 'audioKey'>,
  code: 'upload_incomplete' | 'upload_too_large',
  detail: string,
): Promise<never> {
  await inTransaction(dataSource, (tx) => finishJob(tx, hooks, id, buildFailedOutcome('upload', detail)));
  await store.delete(audioKey);
  throw new ServiceError(code, { detail });
}
