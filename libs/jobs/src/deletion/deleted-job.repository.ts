import { queryRows } from '@app/database';
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
const AUDIO_WRITES_END_SQL = `GREATEST(now(), upload_session_until,
    upload_expires_at + make_interval(days => CASE WHEN source = 'upload' THEN ${LONGEST_PUT_DAYS} ELSE 0 END))`;

/** Until the leases of an ended attempt have expired, its workers can store chunks. */
const REPLACE_JOB_BY_DELETED_JOB = `
  WITH deleted AS (
    DELETE FROM job WHERE id = $1 AND status <> 'processing' RETURNING *
  )
  INSERT INTO deleted_job (job_id, audio_key, upload_id, final_deletion_at, worker_writes_end_at)
  SELECT id, audio_key, upload_id, GREATEST(${AUDIO_WRITES_END_SQL}, leases_end), GREATEST(now(), leases_end)
  FROM deleted CROSS JOIN LATERAL (
    SELECT CASE WHEN status = 'failed' THEN finished_at + make_interval(secs => $2) END AS leases_end
  ) AS leases RETURNING job_id`;

/** For rows of jobs, `deleted`, whose objects are deleted already: those whose audio may be stored again. */
export const INSERT_DELETED_JOBS_WITH_WRITABLE_AUDIO_SQL = `
  INSERT INTO deleted_job (job_id, audio_key, upload_id, final_deletion_at, worker_writes_end_at)
  SELECT id, audio_key, upload_id, ${AUDIO_WRITES_END_SQL}, NULL FROM deleted WHERE ${AUDIO_WRITES_END_SQL} > now()`;

/**
 * Deletes the row of a job that has ended.
 * @param graceSeconds after the end of a failed job
 * @returns false if there is no such job
 */
export async function replaceJobByDeletedJob(
  tx: EntityManager,
  jobId: string,
  graceSeconds: number,
): Promise<boolean> {
  return (await queryRows(tx, REPLACE_JOB_BY_DELETED_JOB, [jobId, graceSeconds])).length === 1;
}

export interface ClaimedDeletedJob {
  id: string;
  audioKey: string;
  uploadId: string | null;
  /** Whether nothing could store objects of the job any more when it was claimed. */
  isFinal: boolean;
  /** Whether all other objects are deleted and no more can be stored. */
  isOnlyAudioLeft: boolean;
  /** Text of Postgres, because a `Date` would lose the microseconds. */
  claimedAt: string;
}

/** Seconds until a deletion that failed, or whose process was killed, is due again. */
const LEASE_SECONDS = 60;

const buildClaimStatement = (condition: string) => `
  UPDATE deleted_job SET next_deletion_at = now() + make_interval(secs => ${LEASE_SECONDS})
  WHERE job_id IN (SELECT job_id FROM deleted_job WHERE ${condition} FOR UPDATE SKIP LOCKED)
  RETURNING job_id AS id, audio_key AS "audioKey", upload_id AS "uploadId", final_deletion_at <= now() AS "isFinal",
    worker_writes_end_at IS NULL AS "isOnlyAudioLeft", now()::text AS "claimedAt"`;

/** @returns undefined if there is no such row, or it is being claimed */
export async function claimDeletedJob(db: DataSource, jobId: string): Promise<ClaimedDeletedJob | undefined> {
  const [job] = await queryRows<ClaimedDeletedJob>(db, buildClaimStatement('job_id = $1'), [jobId]);
  return job;
}

/** Needs one request, where a claim takes a lock against backups first. */
export async function hasDueDeletedJobs(db: DataSource): Promise<boolean> {
  const due = await queryRows(db, 'SELECT FROM deleted_job WHERE next_deletion_at <= now() LIMIT 1');
  return due.length > 0;
}

/** If not all fit into the limit, those whose deletion was due first. */
export async function claimDueDeletedJobs(
  db: DataSource,
  { isOnlyAudioLeft, limit }: { isOnlyAudioLeft: boolean; limit: number },
): Promise<ClaimedDeletedJob[]> {
  const condition = `next_deletion_at <= now() AND (worker_writes_end_at IS NULL) = $1 ORDER BY next_deletion_at LIMIT $2`;
  return queryRows(db, buildClaimStatement(condition), [isOnlyAudioLeft, limit]);
}

/**
 * Deletes the rows of final deletions. The next of the others is a whole number of days before the final one, and is of audio only
 * if no worker could store objects any more when the job was claimed.
 */
export async function deleteRowsOrScheduleNextDeletions(
  db: DataSource,
  jobs: readonly ClaimedDeletedJob[],
): Promise<void> {
  await db.query(
    `WITH given AS (
       SELECT * FROM unnest($1::uuid[], $2::boolean[], $3::timestamptz[]) AS given (job_id, is_final, claimed_at)
     ), ended AS (
       DELETE FROM deleted_job USING given WHERE deleted_job.job_id = given.job_id AND is_final
     )
     UPDATE deleted_job left_over SET next_deletion_at = final_deletion_at
         - make_interval(days => floor(extract(epoch FROM final_deletion_at - claimed_at) / 86400)::int),
       worker_writes_end_at = CASE WHEN worker_writes_end_at > claimed_at THEN worker_writes_end_at END
     FROM given WHERE left_over.job_id = given.job_id AND NOT is_final`,
    [jobs.map(({ id }) => id), jobs.map(({ isFinal }) => isFinal), jobs.map(({ claimedAt }) => claimedAt)],
  );
}

/** Deletes the row of a job that has ended and whose objects are deleted. Audio that is stored afterwards is deleted, too. */
export async function deleteEndedJobRow(db: DataSource | EntityManager, jobId: string): Promise<void> {
  await db.query(
    `WITH deleted AS (DELETE FROM job WHERE id = $1 AND status <> 'processing' RETURNING *)
     ${INSERT_DELETED_JOBS_WITH_WRITABLE_AUDIO_SQL}`,
    [jobId],
  );
}
