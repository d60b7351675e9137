import { afterCommit } from '@app/database';
import type { EntityManager } from 'typeorm';
import { notifyJobEventsAfterCommit } from '../events/job-event.repository.js';
import type { JobHooks } from './job-hooks.js';
import type { JobOutcome } from './job-outcome.js';
import {
  deferMarkJobCompleted,
  type EndedJobRow,
  type LastStageCompletion,
  markJobEnded,
} from './job-end.repository.js';
import { markOpenStagesDroppedAndClearResults, sumDoneChunkSeconds } from '../stages/job-stage.repository.js';

/**
 * Sets the status of the end; status, ledger, event and webhooks change in one transaction. Deletes a long vocabulary, and the
 * query string of an `audio_url`, which often contains credentials.
 * @returns false, without a change, if the job had already ended
 */
export async function endJob(
  tx: EntityManager,
  hooks: JobHooks,
  jobId: string,
  outcome: JobOutcome,
): Promise<boolean> {
  const endedJob = await markJobEnded(tx, jobId, outcome, buildEndEventData(outcome));
  if (!endedJob) return false;
  notifyJobEventsAfterCommit(tx, jobId);
  const { hasWebhookTargets, ...row } = endedJob;
  const processedSeconds = await computeProcessedSeconds(tx, jobId, outcome, row.duration);
  // A new statement: one that waited for the lock of the job does not see the stages that were added meanwhile.
  await markOpenStagesDroppedAndClearResults(tx, jobId);
  const { accountId } = row;
  await hooks.onJobEnd(tx, { id: jobId, accountId, outcome, processedSeconds, hasWebhookTargets });
  reportAfterCommit(tx, hooks, jobId, outcome, row);
  return true;
}

/**
 * As `endJob`, by the worker of the last stage, and in one round trip with the commit. That fails with `LeaseLostError`
 * if the stage is no longer held or the job has ended.
 * @param completion its stage knows the duration
 */
export async function completeJobWithLastStage(
  tx: EntityManager,
  hooks: JobHooks,
  resultKey: string,
  completion: LastStageCompletion,
): Promise<void> {
  const { jobId: id, accountId, job } = completion.stage;
  const outcome = { status: 'completed', resultKey } as const;
  await deferMarkJobCompleted(tx, outcome, completion, (row) =>
    reportAfterCommit(tx, hooks, id, outcome, row),
  );
  notifyJobEventsAfterCommit(tx, id);
  const processedSeconds = job.duration ?? 0;
  await hooks.onJobEnd(tx, { id, accountId, outcome, processedSeconds, hasWebhookTargets: null });
}

function reportAfterCommit(
  tx: EntityManager,
  hooks: JobHooks,
  id: string,
  outcome: JobOutcome,
  { duration: audioSeconds, ...row }: EndedJobRow,
): void {
  if (hooks.afterJobEnd) afterCommit(tx, () => hooks.afterJobEnd?.({ id, outcome, audioSeconds, ...row }));
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

/** Data of the event that reports the end. */
export function buildEndEventData(outcome: JobOutcome): Record<string, unknown> {
  if (outcome.status === 'completed') return {};
  const { stage: step, reason, serviceFailure: givenUp } = outcome;
  return { step, reason, ...(givenUp && { given_up: givenUp }) };
}
