import { DeletedJob, queryRows } from '@app/database';
import type { DataSource, EntityManager } from 'typeorm';

/**
 * Object stores check a signed URL when a request begins, and nothing limits how long a PUT takes. Audio that a PUT stores
 * still later is an orphan.
 */
const LONGEST_PUT_DAYS = 7;

/**
 * Until a signed URL of an upload expires, its holder can store audio, also again after the completion, and a PUT that is
 * under way then may go on. Parts can only be stored as long as their upload is open.
 */
const UPLOADS_END_SQL = `GREATEST(now(), upload_session_until,
    upload_expires_at + make_interval(days => CASE WHEN source = 'upload' THEN ${LONGEST_PUT_DAYS} ELSE 0 END))`;

/** Until the leases of an ended attempt have expired, its workers can store chunks. */
const REPLACE_JOB_BY_DELETED_JOB = `
  WITH deleted AS (
    DELETE FROM job WHERE id = $1 AND status <> 'processing' RETURNING *
  )
  INSERT INTO deleted_job (job_id, audio_key, upload_id, final_deletion_at, worker_writes_end_at)
  SELECT id, audio_key, upload_id, GREATEST(${UPLOADS_END_SQL}, leases_end), GREATEST(now(), leases_end)
  FROM deleted CROSS JOIN LATERAL (
    SELECT CASE WHEN status = 'failed' THEN finished_at + make_interval(secs => $2) END AS leases_end
  ) AS leases RETURNING job_id`;

/** For rows of jobs, `deleted`, whose objects are deleted already: those whose audio may be stored again. */
export const INSERT_DELETED_JOBS_WITH_OPEN_UPLOADS_SQL = `
  INSERT INTO deleted_job (job_id, audio_key, upload_id, final_deletion_at, worker_writes_end_at)
  SELECT id, audio_key, upload_id, ${UPLOADS_END_SQL}, NULL FROM deleted WHERE ${UPLOADS_END_SQL} > now()`;

/**
 * Only of a job that has ended.
 * @param quietSeconds after the end of a failed job
 * @returns false if there is no such job
 */
export async function replaceJobByDeletedJob(
  tx: EntityManager,
  jobId: string,
  quietSeconds: number,
): Promise<boolean> {
  return (await queryRows(tx, REPLACE_JOB_BY_DELETED_JOB, [jobId, quietSeconds])).length === 1;
}

/** Those whose deletion was due first come first. */
export async function findDeletedJobIdsDueForDeletion(db: DataSource, limit: number): Promise<string[]> {
  const jobs = await queryRows<{ id: string }>(
    db,
    `SELECT job_id AS id FROM deleted_job WHERE next_deletion_at <= now() ORDER BY next_deletion_at LIMIT $1`,
    [limit],
  );
  return jobs.map(({ id }) => id);
}

export interface LockedDeletedJob {
  audioKey: string;
  uploadId: string | null;
  /** Whether nothing can store objects of the job any more. */
  isFinal: boolean;
  /** Whether all other objects are deleted and no more can be stored. */
  isOnlyAudioLeft: boolean;
}

/** @returns undefined if there is no such row, or another transaction has locked it */
export async function tryLockDeletedJob(
  tx: EntityManager,
  jobId: string,
): Promise<LockedDeletedJob | undefined> {
  const [row] = await queryRows<LockedDeletedJob>(
    tx,
    `SELECT audio_key AS "audioKey", upload_id AS "uploadId", final_deletion_at <= now() AS "isFinal",
       worker_writes_end_at IS NULL AS "isOnlyAudioLeft"
     FROM deleted_job WHERE job_id = $1 FOR UPDATE SKIP LOCKED`,
    [jobId],
  );
  return row;
}

export async function deleteDeletedJobRow(tx: EntityManager, jobId: string): Promise<void> {
  await tx.delete(DeletedJob, { jobId });
}

/**
 * After a deletion in this transaction that is not final: the next is a whole number of days before the final one, and is of
 * audio only if no worker could store objects any more.
 */
export async function scheduleNextDeletion(tx: EntityManager, jobId: string): Promise<void> {
  await tx.query(
    `UPDATE deleted_job SET next_deletion_at = final_deletion_at
         - make_interval(days => floor(extract(epoch FROM final_deletion_at - now()) / 86400)::int),
       worker_writes_end_at = CASE WHEN worker_writes_end_at > now() THEN worker_writes_end_at END
     WHERE job_id = $1`,
    [jobId],
  );
}

/** Deletes the row of a job that has ended and whose objects are deleted. Audio that is stored afterwards is deleted, too. */
export async function deleteEndedJobRow(db: DataSource | EntityManager, jobId: string): Promise<void> {
  await db.query(
    `WITH deleted AS (DELETE FROM job WHERE id = $1 AND status <> 'processing' RETURNING *)
     ${INSERT_DELETED_JOBS_WITH_OPEN_UPLOADS_SQL}`,
    [jobId],
  );
}
