import { inTransaction } from '@app/database';
import { ServiceError } from '@app/errors';
import type { DataSource, EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { type EnqueueOptions, insertJob, markJobQueued, type NewJob } from './job.repository.js';
import { addStages } from '../stages/job-stage.repository.js';

export interface CreatedJob {
  id: string;
  audioKey: string;
}

/** Object key of a job's audio. */
export function buildAudioKey(jobId: string): string {
  return `audio/${jobId}`;
}

/**
 * Writes the job row. The account's row gives the moment: unique and increasing within the account, to the microsecond.
 * A job by address is queued in the same transaction. Whether the account has credit is asked before.
 * @throws ServiceError `invalid_api_key` when the account is gone: its keys went with it.
 */
export async function createJob(tx: EntityManager, job: NewJob): Promise<CreatedJob> {
  const id = job.id ?? uuidv7();
  const audioKey = buildAudioKey(id);
  if (!(await insertJob(tx, { ...job, id, audioKey }))) throw new ServiceError('invalid_api_key');
  if (job.audioUrl !== null)
    await enqueueJob(tx, id, { deadlineSeconds: job.deadlineSeconds, storedObject: null });
  return { id, audioKey };
}

/**
 * `createJob` in a transaction of its own, with what else has to be written before it. A job that waits for its upload,
 * with nothing beside it, is a single statement: a round trip instead of three.
 */
export async function createJobInTransaction(
  dataSource: DataSource,
  job: NewJob,
  beforeCreate?: (tx: EntityManager) => Promise<void>,
): Promise<CreatedJob> {
  if (beforeCreate === undefined && job.audioUrl === null) return createJob(dataSource.manager, job);
  return inTransaction(dataSource, async (tx) => {
    await beforeCreate?.(tx);
    return createJob(tx, job);
  });
}

/**
 * The job may be processed from now on: owes its first stage to the queue. A job that is created in the same transaction
 * has a `created_at` after `now()`, the beginning of the transaction.
 * @returns false when it was queued before or has ended; then nothing changes.
 */
export async function enqueueJob(
  tx: EntityManager,
  jobId: string,
  options: EnqueueOptions,
): Promise<boolean> {
  if (!(await markJobQueued(tx, jobId, options))) return false;
  await addStages(tx, jobId, [{ name: 'preprocess', chunkIndex: 0, input: null }]);
  return true;
}
