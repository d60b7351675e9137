import { JobStage } from '@app/database';
import type { EntityManager } from 'typeorm';
import type { JobHooks } from './job-hooks.js';
import { finishJob } from './finish-job.js';
import { lockJob } from './job.repository.js';
import { failedOutcome } from './job-outcome.js';

const CANCELLED_OUTCOME = failedOutcome('cancelled', 'The job was cancelled.');

/**
 * Ends a job that still has unprocessed audio or a pending upload. Workers lose the leases of its stages, and
 * completed chunks are charged. A job with only aggregation left continues.
 * @returns false, without a change, if nothing was left to cancel
 */
export async function cancelJob(tx: EntityManager, hooks: JobHooks, jobId: string): Promise<boolean> {
  // A separate statement reads the stages: a statement that waited for this lock would not see
  // what the last chunk wrote while it held the lock.
  await lockJob(tx, jobId);
  const isProcessed = await tx.existsBy(JobStage, { jobId, name: 'aggregation' });
  return !isProcessed && (await finishJob(tx, hooks, jobId, CANCELLED_OUTCOME));
}
