import { JobStage } from '@app/database';
import type { EntityManager } from 'typeorm';
import type { JobHooks } from './job-hooks.js';
import { endJob } from './end-job.js';
import { lockJobRow, lockPendingUpload } from './job.repository.js';
import { buildFailedOutcome } from './job-outcome.js';

const CANCELLED_OUTCOME = buildFailedOutcome('cancelled', 'The job was cancelled.');

/**
 * Ends a job with unprocessed audio or a pending upload; a job with only aggregation left continues. Workers
 * lose their leases, and completed chunks are charged. @returns false, without a change, if nothing was left
 * to cancel
 */
export async function cancelJob(tx: EntityManager, hooks: JobHooks, jobId: string): Promise<boolean> {
  // A separate statement: one that waited for this lock would not see the last write of a chunk.
  await lockJobRow(tx, jobId);
  const isProcessed = await tx.existsBy(JobStage, { jobId, name: 'aggregation' });
  return !isProcessed && (await endJob(tx, hooks, jobId, CANCELLED_OUTCOME));
}

const UPLOAD_ABORTED = buildFailedOutcome('upload', 'Upload aborted.');

/**
 * The job row decides between an abort and a concurrent completion.
 * @returns false, without a change, if the job was already queued or ended
 */
export async function endJobOfAbortedUpload(
  tx: EntityManager,
  hooks: JobHooks,
  jobId: string,
): Promise<boolean> {
  return (await lockPendingUpload(tx, jobId)) && (await endJob(tx, hooks, jobId, UPLOAD_ABORTED));
}

export function isUploadAborted(job: { failedStage: string | null; reason: string | null }): boolean {
  return job.failedStage === UPLOAD_ABORTED.stage && job.reason === UPLOAD_ABORTED.reason;
}
