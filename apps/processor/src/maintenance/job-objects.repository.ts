import { queryRows } from '@app/database';
import type { ObjectPrefix, Orphan, QueueName, StoredObjectCleanupDecision } from '@app/jobs';
import type { DataSource } from 'typeorm';
import type { EndedJobCursor } from './ended-job-batch-runner.js';

export interface JobForAudioDeletion {
  id: string;
  audioKey: string;
  uploadId: string | null;
  /** Null if there is no transcript to retain. */
  resultKey: string | null;
}

/** Due first: the oldest ended jobs, and those whose earlier deletion failed or was interrupted. */
export const CLAIM_JOBS_FOR_AUDIO_DELETION_SQL = `
  UPDATE job SET audio_delete_from = now() + make_interval(secs => $3)
  WHERE id IN (
    SELECT id FROM job
    WHERE audio_deleted_at IS NULL AND status <> 'processing' AND COALESCE(audio_delete_from, finished_at) <= now()
      AND (status = 'completed' OR finished_at <= now() - make_interval(secs => $1))
    ORDER BY COALESCE(audio_delete_from, finished_at) LIMIT $2 FOR NO KEY UPDATE SKIP LOCKED)
  RETURNING id, audio_key AS "audioKey", upload_id AS "uploadId", result_key AS "resultKey"`;

/**
 * Claims jobs for this processor until the lease has passed; others skip them.
 * @param graceSeconds after the end of failed and cancelled jobs
 */
export function claimJobsForAudioDeletion(
  db: DataSource,
  graceSeconds: number,
  limit: number,
  leaseSeconds: number,
): Promise<JobForAudioDeletion[]> {
  return queryRows(db, CLAIM_JOBS_FOR_AUDIO_DELETION_SQL, [graceSeconds, limit, leaseSeconds]);
}

export async function markAudioDeleted(db: DataSource, jobIds: readonly string[]): Promise<void> {
  await db.query('UPDATE job SET audio_deleted_at = now() WHERE id = ANY($1::uuid[])', [jobIds]);
}

/**
 * Those of each account are found by their own index: one search by age alone would read all transcripts of accounts that
 * keep theirs. The first ones belong to the accounts whose oldest ones are first, so only those accounts are read further.
 */
export const LIST_JOBS_WITH_EXPIRED_TRANSCRIPT_SQL = `
  SELECT id, finished_at::text AS "finishedAt" FROM (
    (SELECT id, finished_at FROM job
     WHERE $1::int > 0 AND result_key IS NOT NULL AND finished_at < now() - make_interval(days => $1::int)
       AND (finished_at, id) > ($2::timestamptz, $3::uuid)
     ORDER BY finished_at, id LIMIT $4)
    UNION
    SELECT job.id, job.finished_at FROM (
      SELECT account.id, transcript_retention_days AS days FROM account CROSS JOIN LATERAL (
        SELECT id, finished_at FROM job
        WHERE account_id = account.id AND result_key IS NOT NULL
          AND finished_at < now() - make_interval(days => account.transcript_retention_days)
          AND (finished_at, id) > ($2::timestamptz, $3::uuid)
        ORDER BY finished_at, id LIMIT 1
      ) oldest WHERE account.transcript_retention_days IS NOT NULL
      ORDER BY oldest.finished_at, oldest.id LIMIT $4
    ) owner CROSS JOIN LATERAL (
      SELECT id, finished_at FROM job
      WHERE account_id = owner.id AND result_key IS NOT NULL AND finished_at < now() - make_interval(days => owner.days)
        AND (finished_at, id) > ($2::timestamptz, $3::uuid)
      ORDER BY finished_at, id LIMIT $4
    ) job
  ) due
  ORDER BY finished_at, due.id LIMIT $4`;

/** @param days for every account; 0 for ever */
export function listJobsWithExpiredTranscript(
  db: DataSource,
  days: number,
  after: EndedJobCursor,
  limit: number,
): Promise<EndedJobCursor[]> {
  return queryRows(db, LIST_JOBS_WITH_EXPIRED_TRANSCRIPT_SQL, [days, after.finishedAt, after.id, limit]);
}

/** The stages that write multipart uploads under a prefix; none for `audio/`, which an API writes. */
const WRITING_STAGES: Record<ObjectPrefix, QueueName[]> = {
  'audio/': [],
  'work/': ['fetch', 'preprocess'],
  // A worker that goes on with its only chunk stores the transcript under the fence of the chunk.
  'transcripts/': ['aggregation', 'chunk'],
};

export type MultipartUploadCleanupDecision = StoredObjectCleanupDecision | 'expired_intake';

/**
 * `keep`: the upload belongs to a job whose audio is not deleted yet, or to the running stage that its key names.
 * `delete`: its job exists, but does not need it. `intake`: its request may still create a job, but not after the longest time that its
 * body may take (`expired_intake`). `orphan`: it has no row.
 */
export async function classifyMultipartUpload(
  db: DataSource,
  { key, uploadId }: Orphan,
  jobId: string,
  prefix: ObjectPrefix,
): Promise<MultipartUploadCleanupDecision> {
  const [, , attempt = ''] = key.split('/');
  const [row] = await queryRows<{ verdict: MultipartUploadCleanupDecision }>(
    db,
    `SELECT CASE WHEN upload_id IS NOT DISTINCT FROM $2 AND audio_deleted_at IS NULL OR EXISTS (
         SELECT FROM job_stage WHERE job_id = job.id AND queue = ANY($3) AND 'f' || fence = $4 AND state = 'running'
       ) THEN 'keep' ELSE 'delete' END AS verdict FROM job WHERE id = $1::uuid
     UNION ALL SELECT CASE WHEN expires_at < now() THEN 'expired_intake' ELSE 'intake' END FROM audio_intake WHERE job_id = $1::uuid AND $5`,
    [jobId, uploadId, WRITING_STAGES[prefix], attempt, prefix === 'audio/'],
  );
  return row?.verdict ?? 'orphan';
}
