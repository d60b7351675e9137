import { afterCommit } from '@app/database';
import type { EntityManager } from 'typeorm';
import { notifyJobEventsAfterCommit } from '../events/job-event.repository.js';
import type { JobHooks } from './job-hooks.js';
import type { JobOutcome } from './job-outcome.js';
import { type LastStageCompletion, markJobFinished } from './job-end.repository.js';
import { dropOpenStagesAndResults, sumDoneChunkSeconds } from '../stages/job-stage.repository.js';

/**
 * The only function that sets a terminal status; status, ledger, event and webhooks change in one
 * transaction. Deletes a long vocabulary, and the query string of an `audio_url`, which often contains
 * credentials.
 * @param completion only of a job whose last stage completes with it
 * @returns false, without a change, if the job had already ended
 * @throws LeaseLostError if the last stage is no longer held; the transaction must then be rolled back
 */
export async function finishJob(
  tx: EntityManager,
  hooks: JobHooks,
  jobId: string,
  outcome: JobOutcome,
  completion: LastStageCompletion | null = null,
): Promise<boolean> {
  const finishedJob = await markJobFinished(tx, jobId, outcome, buildEventData(outcome), completion);
  if (!finishedJob) return false;
  notifyJobEventsAfterCommit(tx, jobId);
  const { accountId, hasWebhookTargets, duration: audioSeconds, ...row } = finishedJob;
  const processedSeconds = await computeProcessedSeconds(tx, jobId, outcome, audioSeconds);
  // A new statement: one that waited for the lock of the job does not see the stages that were added meanwhile.
  if (completion === null) await dropOpenStagesAndResults(tx, jobId);
  await hooks.onJobFinished(tx, { id: jobId, accountId, outcome, processedSeconds, hasWebhookTargets });
  if (hooks.afterJobFinished)
    afterCommit(tx, () => hooks.afterJobFinished?.({ id: jobId, accountId, outcome, audioSeconds, ...row }));
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
