import { afterCommit } from '@app/database';
import type { EntityManager } from 'typeorm';
import { appendEvent } from '../events/job-event.repository.js';
import type { JobHooks } from './job-hooks.js';
import type { JobOutcome } from './job-outcome.js';
import { markJobFinished } from './job.repository.js';
import { dropOpenStages, sumDoneChunkSeconds } from '../stages/job-stage.repository.js';

/**
 * The only way into a terminal state. State, ledger, event and deliveries change in the caller's transaction;
 * of two that come at once the row's state decides.
 * The query of an `audio_url` goes: it often is a permission of somebody else's store, and nobody fetches again.
 * @returns false when the job had ended before; then nothing changes.
 */
export async function finishJob(
  tx: EntityManager,
  hooks: JobHooks,
  jobId: string,
  outcome: JobOutcome,
): Promise<boolean> {
  const finishedJob = await markJobFinished(tx, jobId, outcome);
  if (!finishedJob) return false;
  const processedSeconds = await computeProcessedSeconds(tx, jobId, outcome, finishedJob.duration);
  await dropOpenStages(tx, jobId);
  await appendEvent(tx, jobId, finishedJob.seq, outcome.status, buildEventData(outcome));
  await hooks.onJobFinished(tx, { id: jobId, accountId: finishedJob.accountId, outcome, processedSeconds });
  if (hooks.afterJobFinished) {
    const { seq: _, duration: audioSeconds, ...row } = finishedJob;
    afterCommit(tx, () => hooks.afterJobFinished?.({ id: jobId, outcome, audioSeconds, ...row }));
  }
  return true;
}

/** All of it on success; what a cancelled job had finished; nothing of a job that failed. */
async function computeProcessedSeconds(
  tx: EntityManager,
  jobId: string,
  outcome: JobOutcome,
  duration: number | null,
): Promise<number> {
  if (outcome.status === 'completed') return duration ?? 0;
  if (outcome.stage !== 'cancelled') return 0;
  return sumDoneChunkSeconds(tx, jobId);
}

function buildEventData(outcome: JobOutcome): Record<string, unknown> {
  if (outcome.status === 'completed') return {};
  const { stage: step, reason, serviceFailure: givenUp } = outcome;
  return { step, reason, ...(givenUp && { given_up: givenUp }) };
}
