import { queryRows } from '@app/database';
import type { EntityManager } from 'typeorm';
import { addStages } from '../stages/add-stages.js';

export interface EnqueueOptions {
  deadlineSeconds: number;
  /** The bytes as the store has them; null for a job by address, which has none yet. */
  storedObject: { size: number; etag: string } | null;
}

/**
 * The job may be processed from now on: owes its first stage to the queue. A job that is created in the same transaction
 * has a `created_at` after `now()`, the beginning of the transaction.
 * @returns false when it was queued before or has ended; then nothing changes.
 */
export async function enqueueJob(
  tx: EntityManager,
  jobId: string,
  { deadlineSeconds, storedObject }: EnqueueOptions,
): Promise<boolean> {
  const queued = await queryRows(
    tx,
    `UPDATE job SET queued_at = GREATEST(now(), created_at), deadline_at = now() + make_interval(secs => $2), stored_size = $3, stored_etag = $4
     WHERE id = $1 AND queued_at IS NULL AND status = 'processing' RETURNING id`,
    [jobId, deadlineSeconds, storedObject?.size ?? null, storedObject?.etag ?? null],
  );
  if (queued.length === 0) return false;
  await addStages(tx, jobId, [{ name: 'preprocess', chunkIndex: 0, input: null }]);
  return true;
}
