import { ServiceError } from '@app/errors';
import type { DataSource, EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import {
  type EnqueueOptions,
  insertJob,
  type NewJob,
  markJobQueuedAndInsertFirstStage,
} from './job.repository.js';
import {
  runTransactionReturningMessages,
  type OutboxMessage,
  attachOutboxMessagesToTransaction,
} from '../outbox/outbox.repository.js';
import { buildUploadedAudioKey } from '../stages/object-keys.js';

/**
 * The account row provides a creation time that is unique and increasing within the account. A job with an
 * audio URL is queued in the same transaction. The caller checks credits before.
 * @returns the id
 * @throws ServiceError `invalid_api_key` if the account was deleted, and its keys with it
 */
export async function createJobAndEnqueueIfUrl(tx: EntityManager, job: NewJob): Promise<string> {
  const id = job.id ?? uuidv7();
  if (!(await insertJob(tx, { ...job, id, audioKey: buildUploadedAudioKey(id) })))
    throw new ServiceError('invalid_api_key');
  if (job.audioUrl !== null)
    await enqueueJob(tx, id, { deadlineSeconds: job.deadlineSeconds, storedObject: null });
  return id;
}

/**
 * A job that only waits for its upload is a single statement: one round trip instead of three.
 * @returns the queue messages of a job with an audio URL, for `OutboxRelay.send`
 */
export async function createJobReturningMessages(
  dataSource: DataSource,
  job: NewJob,
  beforeCreate?: (tx: EntityManager) => Promise<void>,
): Promise<OutboxMessage[]> {
  if (beforeCreate === undefined && job.audioUrl === null) {
    await createJobAndEnqueueIfUrl(dataSource.manager, job);
    return [];
  }
  const { messages } = await runTransactionReturningMessages(dataSource, async (tx) => {
    await beforeCreate?.(tx);
    await createJobAndEnqueueIfUrl(tx, job);
  });
  return messages;
}

/**
 * Writes the first stage and its message: `fetch` if the audio is not stored yet. In the transaction that creates the job,
 * `created_at` is later than `now()`.
 * @returns false, without a change, if the job was already queued or has ended
 */
export async function enqueueJob(
  tx: EntityManager,
  jobId: string,
  options: EnqueueOptions,
): Promise<boolean> {
  const message = await markJobQueuedAndInsertFirstStage(tx, jobId, options);
  if (message) attachOutboxMessagesToTransaction(tx, [message]);
  return message !== undefined;
}
