import { DeletedJob, queryRows } from '@app/database';
import type { DataSource, EntityManager } from 'typeorm';

/**
 * Until a signed URL of an upload expires, its holder can store audio, also again after the completion; until the leases
 * of an ended attempt have expired, its workers can store chunks.
 */
const REPLACE_JOB_BY_DELETED_JOB = `
  WITH deleted AS (
    DELETE FROM job WHERE id = $1 AND status <> 'processing'
    RETURNING id, audio_key, upload_id, status, finished_at, upload_expires_at, upload_session_until
  )
  INSERT INTO deleted_job (job_id, audio_key, upload_id, final_deletion_at)
  SELECT id, audio_key, upload_id, GREATEST(now(),
    CASE WHEN status = 'failed' THEN finished_at + make_interval(secs => $2) END,
    upload_expires_at, upload_session_until)
  FROM deleted RETURNING job_id`;

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
}

/** @returns undefined if there is no such row, or another transaction has locked it */
export async function tryLockDeletedJob(
  tx: EntityManager,
  jobId: string,
): Promise<LockedDeletedJob | undefined> {
  const [row] = await queryRows<LockedDeletedJob>(
    tx,
    `SELECT audio_key AS "audioKey", upload_id AS "uploadId", final_deletion_at <= now() AS "isFinal"
     FROM deleted_job WHERE job_id = $1 FOR UPDATE SKIP LOCKED`,
    [jobId],
  );
  return row;
}

export async function deleteDeletedJobRow(tx: EntityManager, jobId: string): Promise<void> {
  await tx.delete(DeletedJob, { jobId });
}

/** After a deletion that is not final. */
export async function scheduleFinalDeletion(tx: EntityManager, jobId: string): Promise<void> {
  await tx.query('UPDATE deleted_job SET next_deletion_at = final_deletion_at WHERE job_id = $1', [jobId]);
}
