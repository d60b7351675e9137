import { queryRows } from '@app/database';
import type { ObjectPrefix, Orphan, QueueName, StoredObjectVerdict } from '@app/jobs';
import type { DataSource } from 'typeorm';
import type { FinishedJobCursor } from './finished-job-batch-runner.js';

export interface JobWithAudio extends FinishedJobCursor {
  audioKey: string;
  uploadId: string | null;
  /** Null if there is no transcript to retain. */
  resultKey: string | null;
}

/** @param quietSeconds after the end of failed and cancelled jobs */
export function findJobsWithAudio(
  db: DataSource,
  quietSeconds: number,
  after: FinishedJobCursor,
  limit: number,
): Promise<JobWithAudio[]> {
  return queryRows(
    db,
    `SELECT id, finished_at::text AS "finishedAt", audio_key AS "audioKey", upload_id AS "uploadId",
       result_key AS "resultKey" FROM job
     WHERE audio_deleted_at IS NULL AND status <> 'processing'
       AND (status = 'completed' OR finished_at < now() - make_interval(secs => $1))
       AND (finished_at, id) > ($2::timestamptz, $3::uuid)
     ORDER BY finished_at, id LIMIT $4`,
    [quietSeconds, after.finishedAt, after.id, limit],
  );
}

export function findJobsWithOldTranscript(
  db: DataSource,
  days: number,
  after: FinishedJobCursor,
  limit: number,
): Promise<FinishedJobCursor[]> {
  return queryRows(
    db,
    `SELECT id, finished_at::text AS "finishedAt" FROM job
     WHERE result_key IS NOT NULL AND finished_at < now() - make_interval(days => $1)
       AND (finished_at, id) > ($2::timestamptz, $3::uuid)
     ORDER BY finished_at, id LIMIT $4`,
    [days, after.finishedAt, after.id, limit],
  );
}

/** The stage that writes multipart uploads under a prefix; null for `audio/`, which an API writes. */
const WRITING_STAGES: Record<ObjectPrefix, QueueName | null> = {
  'audio/': null,
  'work/': 'preprocess',
  'transcripts/': 'aggregation',
};

/**
 * `keep`: the upload belongs to a job whose audio is not deleted yet, or to the running stage that its key names.
 * `delete`: its job exists, but does not need it. `intake`: its request may still create a job. `orphan`: it has no row.
 */
export async function classifyUpload(
  db: DataSource,
  { key, uploadId }: Orphan,
  jobId: string,
  prefix: ObjectPrefix,
): Promise<StoredObjectVerdict> {
  const [, , attempt = ''] = key.split('/');
  const [row] = await queryRows<{ verdict: StoredObjectVerdict }>(
    db,
    `SELECT CASE WHEN upload_id IS NOT DISTINCT FROM $2 AND audio_deleted_at IS NULL OR EXISTS (
         SELECT FROM job_stage WHERE job_id = job.id AND queue = $3 AND 'f' || fence = $4 AND state = 'running'
       ) THEN 'keep' ELSE 'delete' END AS verdict FROM job WHERE id = $1::uuid
     UNION ALL SELECT 'intake' FROM audio_intake WHERE job_id = $1::uuid AND $5`,
    [jobId, uploadId, WRITING_STAGES[prefix], attempt, prefix === 'audio/'],
  );
  return row?.verdict ?? 'orphan';
}
