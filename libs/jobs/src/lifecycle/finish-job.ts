import { afterCommit, type JobSource, rowsOf } from '@app/database';
import type { EntityManager } from 'typeorm';
import { appendEvent } from '../events/append-event.js';
import type { JobEffects } from './effects.js';
import type { Outcome } from './outcome.js';
import { statesBefore } from './states.js';

interface EndedRow {
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
  effects: JobEffects,
  jobId: string,
  outcome: Outcome,
): Promise<boolean> {
  const ended = await endRow(tx, jobId, outcome);
  if (!ended) return false;
  const processedSeconds = await processed(tx, jobId, outcome, ended.duration);
  await endStages(tx, jobId);
  await appendEvent(tx, jobId, ended.seq, outcome.status, eventData(outcome));
  await effects.finished(tx, { id: jobId, accountId: ended.accountId, outcome, processedSeconds });
  if (effects.ended) {
    const { seq: _, duration: audioSeconds, ...row } = ended;
    afterCommit(tx, () => effects.ended?.({ id: jobId, outcome, audioSeconds, ...row }));
  }
  return true;
}

async function endRow(tx: EntityManager, jobId: string, outcome: Outcome): Promise<EndedRow | undefined> {
  const failure = outcome.status === 'failed' ? outcome : null;
  const [row] = await rowsOf<EndedRow>(
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
      statesBefore(outcome.status),
    ],
  );
  return row;
}

/**
 * Nobody works on them any more, and what they made is in the transcript or of no use: words and voices are kept no
 * longer than that takes. A terminal job is never taken up again, so nothing can want them back.
 */
async function endStages(tx: EntityManager, jobId: string): Promise<void> {
  await tx.query(
    `UPDATE job_stage
     SET state = CASE WHEN state = 'done' THEN state ELSE 'dropped' END, result = NULL,
       fence = CASE WHEN state = 'done' THEN fence ELSE fence + 1 END, lease_until = NULL
     WHERE job_id = $1 AND (state IN ('pending', 'running') OR result IS NOT NULL)`,
    [jobId],
  );
}

/** All of it on success; what a cancelled job had finished; nothing of a job that failed. */
async function processed(
  tx: EntityManager,
  jobId: string,
  outcome: Outcome,
  duration: number | null,
): Promise<number> {
  if (outcome.status === 'completed') return duration ?? 0;
  if (outcome.stage !== 'cancelled') return 0;
  const [sum] = await rowsOf<{ seconds: number | null }>(
    tx,
    `SELECT sum((input->>'end')::float8 - (input->>'start')::float8) AS seconds
     FROM job_stage WHERE job_id = $1 AND queue = 'chunk' AND state = 'done'`,
    [jobId],
  );
  return sum?.seconds ?? 0;
}

function eventData(outcome: Outcome): Record<string, unknown> {
  if (outcome.status === 'completed') return {};
  const { stage: step, reason, givenUp } = outcome;
  return { step, reason, ...(givenUp && { given_up: givenUp }) };
}
