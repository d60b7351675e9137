import { Job, JobStage } from '@app/database';
import type { EntityManager } from 'typeorm';
import { dropOpenChunks, requeuePreprocess } from './job-stage.repository.js';
import type { ClaimedStage } from './stage-claim.repository.js';

/**
 * Restarts a job because the input of a stage is missing. Completed chunks stay done; open ones wait for the
 * new chunking. If preprocess is running or due, only this stage waits for it. Call it under the lock of the
 * job, in the transaction that confirmed the lease.
 * @param maxAttempts of preprocess, including previous ones
 * @returns false, without a change, if the attempts are used up
 */
export async function tryRestartFromPreprocess(
  tx: EntityManager,
  stage: ClaimedStage,
  maxAttempts: number,
): Promise<boolean> {
  const { jobId } = stage;
  const preprocess = await tx.findOne(JobStage, {
    select: { jobId: true, name: true, state: true, attempts: true },
    where: { jobId, name: 'preprocess' },
    lock: { mode: 'pessimistic_write' },
  });
  if (preprocess === null) return false;
  if (preprocess.state !== 'done') {
    await dropOpenChunks(tx, jobId, stage.name);
    return true;
  }
  if (preprocess.attempts >= maxAttempts) return false;
  await dropOpenChunks(tx, jobId, null);
  await tx.update(Job, { id: jobId }, { stepsTotal: null });
  await requeuePreprocess(tx, jobId);
  return true;
}
