import { queryRows } from '@app/database';
import type { DataSource } from 'typeorm';
import type { EndedJobCursor } from './ended-job-batch-runner.js';

export async function findOpenJobIdsOfEndedAccounts(db: DataSource, limit: number): Promise<string[]> {
  const jobs = await queryRows<{ id: string }>(
    db,
    `SELECT job.id FROM account JOIN job ON job.account_id = account.id
     WHERE account.ended_at IS NOT NULL AND job.status = 'processing' LIMIT $1`,
    [limit],
  );
  return jobs.map(({ id }) => id);
}

/** Finds jobs of which the audio is deleted already. */
export function findJobsWithoutAudioOfEndedAccounts(
  db: DataSource,
  after: EndedJobCursor,
  limit: number,
): Promise<EndedJobCursor[]> {
  return queryRows(
    db,
    `SELECT job.id, job.finished_at::text AS "finishedAt" FROM account JOIN job ON job.account_id = account.id
     WHERE account.ended_at IS NOT NULL AND job.status <> 'processing' AND job.audio_deleted_at IS NOT NULL
       AND (job.finished_at, job.id) > ($1::timestamptz, $2::uuid)
     ORDER BY job.finished_at, job.id LIMIT $3`,
    [after.finishedAt, after.id, limit],
  );
}

/**
 * Deliveries to endpoints end, those to callback URLs go on until their job is deleted.
 * @returns the number of cancelled ones, at most the limit
 */
export async function cancelPendingDeliveriesOfEndedAccounts(db: DataSource, limit: number): Promise<number> {
  const cancelled = await queryRows(
    db,
    `UPDATE webhook_delivery
     SET state = 'cancelled', finished_at = now(), fence = fence + 1, lease_until = NULL, key_id = NULL, sealed = NULL
     WHERE id IN (
       SELECT delivery.id FROM account JOIN webhook_delivery delivery ON delivery.account_id = account.id
       WHERE account.ended_at IS NOT NULL AND delivery.state = 'pending' AND delivery.endpoint_id IS NOT NULL
         AND delivery.url IS DISTINCT FROM (SELECT options->>'callback_url' FROM job WHERE job.id = delivery.job_id)
       LIMIT $1 FOR UPDATE OF delivery SKIP LOCKED)
     RETURNING id`,
    [limit],
  );
  return cancelled.length;
}

/** Those to which no delivery refers any more. */
export async function deleteUnusedEndpointsOfEndedAccounts(db: DataSource): Promise<void> {
  await db.query(
    `DELETE FROM webhook_endpoint endpoint USING account
     WHERE account.id = endpoint.account_id AND account.ended_at IS NOT NULL
       AND NOT EXISTS (SELECT FROM webhook_delivery WHERE endpoint_id = endpoint.id)`,
  );
}
