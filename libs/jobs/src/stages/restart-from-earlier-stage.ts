import { Job, JobStage } from '@app/database';
import type { EntityManager } from 'typeorm';
import {
  addOrRestartStages,
  dropOpenChunkStagesUntilRechunked,
  dropPreprocessStageUntilRefetched,
  requeueStageWithLostOutput,
} from './job-stage.repository.js';
import { type ClaimedStage, countAttemptsWithoutCrashes } from './stage-claim.repository.js';

/**
 * Restarts a job because the input of a stage is missing. Completed chunks stay done; open ones wait for the
 * new chunking. If preprocess is running or due, only this stage waits for it; preprocess itself waits until
 * its audio is fetched again. Call it under the lock of the job, in the transaction that confirmed the lease.
 * @param maxAttempts of the stage that is repeated, including previous ones
 * @returns false, without a change, if the attempts are used up
 */
export async function tryRestartFromEarlierStage(
  tx: EntityManager,
  stage: ClaimedStage,
  maxAttempts: number,
): Promise<boolean> {
  const { jobId } = stage;
  if (stage.name === 'preprocess') return tryRestartFromFetch(tx, jobId, maxAttempts);
  const preprocess = await lockStage(tx, jobId, 'preprocess');
  if (preprocess === null) return false;
  if (preprocess.state !== 'done') {
    await dropOpenChunkStagesUntilRechunked(tx, jobId, stage.name);
    return true;
  }
  if (countAttemptsWithoutCrashes(preprocess) >= maxAttempts) return false;
  await dropOpenChunkStagesUntilRechunked(tx, jobId, null);
  await tx.update(Job, { id: jobId }, { stepsTotal: null });
  await requeueStageWithLostOutput(tx, jobId, 'preprocess');
  return true;
}

async function tryRestartFromFetch(tx: EntityManager, jobId: string, maxAttempts: number): Promise<boolean> {
  const fetch = await lockStage(tx, jobId, 'fetch');
  if (fetch !== null && countAttemptsWithoutCrashes(fetch) >= maxAttempts) return false;
  await dropPreprocessStageUntilRefetched(tx, jobId);
  // Jobs that an older version queued have no such stage.
  if (fetch === null) await addOrRestartStages(tx, jobId, [{ name: 'fetch', chunkIndex: 0, input: null }]);
  else await requeueStageWithLostOutput(tx, jobId, 'fetch');
  return true;
}

function lockStage(tx: EntityManager, jobId: string, name: 'fetch' | 'preprocess'): Promise<JobStage | null> {
  return tx.findOne(JobStage, {
    select: { jobId: true, name: true, state: true, attempts: true, crashes: true },
    where: { jobId, name },
    lock: { mode: 'pessimistic_write' },
  });
}
