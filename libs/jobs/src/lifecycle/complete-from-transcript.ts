import { queryRows } from '@app/database';
import type { EntityManager } from 'typeorm';
import type { JobHooks } from './job-hooks.js';
import { finishJob } from './finish-job.js';

/** The account of the job has not enough credit for its recording: the transaction must be rolled back. */
export class InsufficientCreditsError extends Error {
  override readonly name = 'InsufficientCreditsError';
}

export interface StoredTranscript {
  /** Of the transcript in the format of the job; its document lies beside it. */
  resultKey: string;
  /** Seconds of the recording. */
  duration: number;
}

/**
 * Ends a job whose finished transcript lies in the store though its row does not know: the database was restored from an
 * older state. What it costs, its event and its notification come as at any end, once. A job that a processor is at work
 * on is left to it: it may be the one that has just stored the transcript.
 * @returns false when the job had ended, or is held under a lease; then nothing changes
 * @throws InsufficientCreditsError
 */
export async function completeFromTranscript(
  tx: EntityManager,
  hooks: JobHooks,
  jobId: string,
  { resultKey, duration }: StoredTranscript,
): Promise<boolean> {
  const [job] = await queryRows<{ accountId: string; seconds: number }>(
    tx,
    `UPDATE job SET duration = COALESCE(duration, $2), steps_total = steps_done
     WHERE id = $1 AND status = 'processing' AND queued_at IS NOT NULL
       AND NOT EXISTS (SELECT FROM job_stage WHERE job_id = $1 AND state = 'running' AND lease_until > now())
     RETURNING account_id AS "accountId", duration AS seconds`,
    [jobId, duration],
  );
  if (!job) return false;
  if (!(await hooks.reserveCredits(tx, { id: jobId, ...job }))) throw new InsufficientCreditsError(jobId);
  await tx.query(
    `UPDATE job_stage SET state = 'done', fence = fence + 1, lease_until = NULL, finished_at = now()
     WHERE job_id = $1 AND state <> 'done'`,
    [jobId],
  );
  return finishJob(tx, hooks, jobId, { status: 'completed', resultKey });
}
