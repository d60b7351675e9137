import { afterCommit, type JobSource, queryRows } from '@app/database';
import type { EntityManager } from 'typeorm';
import { appendEvent } from '../events/append-event.js';
import type { JobHooks } from './job-hooks.js';
import type { JobOutcome } from './job-outcome.js';
import { findStatusesBefore } from './job-states.js';

interface FinishedJobRow {
  accountId: string;
  seq: number;
  duration: number | null;
  requestId: string | null;
  source: JobSource;
  totalSeconds: number;
  queuedSeconds: number | null;
}

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

async function markJobFinished(
  tx: EntityManager,
  jobId: string,
  outcome: JobOutcome,
): Promise<FinishedJobRow | undefined> {
  const failure = outcome.status === 'failed' ? outcome : null;
  const [row] = await queryRows<FinishedJobRow>(
    tx,
    `UPDATE job
     SET status = $2, result_key = $3, failed_stage = $4, reason = $5, finished_at = now(), event_seq = event_seq + 1,
       audio_url = split_part(audio_url, '?', 1)
     WHERE id = $1 AND status = ANY($6)
     RETURNING account_id AS "accountId", event_seq AS seq, duration, request_id AS "requestId", source,
       extract(epoch FROM now() - created_at)::float8 AS "totalSeconds",
       extract(epoch FROM now() - queued_at)::float8 AS "queuedSeconds"`,
    [
      jobId,
      outcome.status,
      outcome.status === 'completed' ? outcome.resultKey : null,
      failure?.stage ?? null,
      failure?.reason ?? null,
      findStatusesBefore(outcome.status),
    ],
  );
  return row;
}

/**
 * Nobody works on them any more, and what they made is in the transcript or of no use: words and voices are kept no
 * longer than that takes. A terminal job is never taken up again, so nothing can want them back.
 */
async function dropOpenStages(tx: EntityManager, jobId: string): Promise<void> {
  await tx.query(
    `UPDATE job_stage
     SET state = CASE WHEN state = 'done' THEN state ELSE 'dropped' END, result = NULL,
       fence = CASE WHEN state = 'done' THEN fence ELSE fence + 1 END, lease_until = NULL
     WHERE job_id = $1 AND (state IN ('pending', 'running') OR result IS NOT NULL)`,
    [jobId],
  );
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
  const [sum] = await queryRows<{ seconds: number | null }>(
    tx,
    `SELECT sum((input->>'end')::float8 - (input->>'start')::float8) AS seconds
     FROM job_stage WHERE job_id = $1 AND queue = 'chunk' AND state = 'done'`,
    [jobId],
  );
  return sum?.seconds ?? 0;
}

function buildEventData(outcome: JobOutcome): Record<string, unknown> {
  if (outcome.status === 'completed') return {};
  const { stage: step, reason, serviceFailure: givenUp } = outcome;
  return { step, reason, ...(givenUp && { given_up: givenUp }) };
}
