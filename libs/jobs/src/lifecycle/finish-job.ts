import { afterCommit } from '@app/database';
import type { EntityManager } from 'typeorm';
import { appendJobEvent } from '../events/job-event.repository.js';
import type { JobHooks } from './job-hooks.js';
import type { JobOutcome } from './job-outcome.js';
import { markJobFinished } from './job.repository.js';
import { dropOpenStagesAndResults, sumDoneChunkSeconds } from '../stages/job-stage.repository.js';

/**
 * The only function that sets a terminal status; status, ledger, event and webhooks change in one
 * transaction. Deletes the query string of an `audio_url`, which often contains credentials.
 * @returns false, without a change, if the job had already ended
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
  await dropOpenStagesAndResults(tx, jobId);
  await appendJobEvent(tx, jobId, finishedJob.seq, outcome.status, buildEventData(outcome));
  await hooks.onJobFinished(tx, { id: jobId, accountId: finishedJob.accountId, outcome, processedSeconds });
  if (hooks.afterJobFinished) {
    const { seq: _, duration: audioSeconds, ...row } = finishedJob;
    afterCommit(tx, () => hooks.afterJobFinished?.({ id: jobId, outcome, audioSeconds, ...row }));
  }
  return true;
}

/** All audio of a completed job, the finished chunks of a cancelled one, and nothing of a failed one. */
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
