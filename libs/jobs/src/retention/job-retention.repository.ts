import { queryRows } from '@app/database';
import type { DataSource, EntityManager } from 'typeorm';
import { INSERT_DELETED_JOBS_WITH_WRITABLE_AUDIO_SQL } from '../deletion/deleted-job.repository.js';

/** Deletes stages and all events but the last of jobs that ended the given number of days ago and whose audio is deleted. */
export const DELETE_DETAILS_OF_OLD_JOBS_SQL = `
  WITH due AS (
    SELECT id FROM job
    WHERE details_deleted_at IS NULL AND finished_at < now() - make_interval(days => $1) AND audio_deleted_at IS NOT NULL
    ORDER BY finished_at LIMIT $2 FOR NO KEY UPDATE SKIP LOCKED
  ), stages AS (
    DELETE FROM job_stage WHERE job_id IN (SELECT id FROM due)
  ), events AS (
    DELETE FROM job_event WHERE job_id IN (SELECT id FROM due) AND type = 'progress'
  )
  UPDATE job SET details_deleted_at = now() WHERE id IN (SELECT id FROM due) RETURNING id`;

/** @returns the number of jobs, at most `limit` */
export async function deleteStagesAndEventsOfOldJobs(
  db: DataSource,
  days: number,
  limit: number,
): Promise<number> {
  return (await queryRows(db, DELETE_DETAILS_OF_OLD_JOBS_SQL, [days, limit])).length;
}

/** A webhook that is not delivered yet, or held, keeps its job. */
export const FIND_EXPIRED_JOBS_SQL = `
  SELECT id FROM job
  WHERE details_deleted_at IS NOT NULL AND finished_at < now() - make_interval(days => $1)
    AND NOT EXISTS (SELECT FROM webhook_delivery WHERE job_id = job.id AND state = 'pending') AND id <> ALL ($3::uuid[])
  ORDER BY finished_at LIMIT $2`;

/** Oldest first; only those whose details are deleted. @param except ids of jobs that are left out */
export async function findExpiredJobIds(
  db: DataSource,
  days: number,
  limit: number,
  except: readonly string[],
): Promise<string[]> {
  const jobs = await queryRows<{ id: string }>(db, FIND_EXPIRED_JOBS_SQL, [days, limit, except]);
  return jobs.map(({ id }) => id);
}

/** With all rows that belong to them; entries of the ledger stay. Their objects must be deleted before; audio that is stored afterwards is deleted, too. */
export async function deleteExpiredJobsByIds(
  db: DataSource | EntityManager,
  ids: readonly string[],
): Promise<void> {
  await db.query(
    `WITH deleted AS (
       DELETE FROM job WHERE id = ANY($1::uuid[]) AND details_deleted_at IS NOT NULL
         AND NOT EXISTS (SELECT FROM webhook_delivery WHERE job_id = job.id AND state = 'pending')
       RETURNING *
     ) ${INSERT_DELETED_JOBS_WITH_WRITABLE_AUDIO_SQL}`,
    [ids],
  );
}
