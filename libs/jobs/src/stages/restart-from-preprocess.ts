import { Job, JobStage } from '@app/database';
import type { EntityManager } from 'typeorm';
import { dropOpenChunks, requeuePreprocess } from './job-stage.repository.js';
import type { ClaimedStage } from './stage-claim.repository.js';

/**
 * Has a job begin again with its audio, as what a stage was to work on is gone from the store. Chunks that are done stay
 * done; open ones wait, held by nobody, for the cut to come. Where the cut is under way or due already, this stage alone
 * waits for it. In the transaction in which the stage was found to be still ours, under the job's lock.
 * @param maxAttempts of preprocess, those so far included
 * @returns false, and nothing is changed, when it was started that often
 */
export async function restartFromPreprocess(
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
