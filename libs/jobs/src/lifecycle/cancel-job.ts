import { JobStage } from '@app/database';
import type { EntityManager } from 'typeorm';
import type { JobHooks } from './job-hooks.js';
import { finishJob } from './finish-job.js';
import { lockJob } from './job.repository.js';
import { failedOutcome } from './job-outcome.js';

const CANCELLED_OUTCOME = failedOutcome('cancelled', 'The job was cancelled.');

/**
 * Ends a job of which something is still unprocessed: a pending upload, or audio that no chunk has been through.
 * Whoever works on a chunk loses its lease; chunks that are done are charged.
 * Once only aggregation is left all of the audio is processed and the job goes on to its end.
 * @returns false when nothing was left to cancel; then nothing changes.
 */
export async function cancelJob(tx: EntityManager, hooks: JobHooks, jobId: string): Promise<boolean> {
  // The stages are read by a statement of their own: one that had to wait for this lock would not see
  // what the last chunk, which held it, has just written.
  await lockJob(tx, jobId);
  const isProcessed = await tx.existsBy(JobStage, { jobId, name: 'aggregation' });
  return !isProcessed && (await finishJob(tx, hooks, jobId, CANCELLED_OUTCOME));
}
