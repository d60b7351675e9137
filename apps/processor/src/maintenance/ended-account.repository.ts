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
