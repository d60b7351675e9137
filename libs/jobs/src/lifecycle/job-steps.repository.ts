import { queryPrepared, queryRows } from '@app/database';
import type { EntityManager } from 'typeorm';
import { notifyJobEventsAfterCommit } from '../events/job-event.repository.js';
import { LeaseLostError } from '../stages/lease-lost-error.js';
import type { ClaimedStage } from '../stages/stage-claim.repository.js';

/** SQL of the `data` of a progress event. */
const PROGRESS_DATA_SQL = `jsonb_build_object('completed', completed, 'total', steps_total, 'step', step)`;

/**
 * Counts the steps `$2` in their order and writes their events. Steps that were reported before, or whose job has no
 * number of steps yet, are not counted. Waits for the lock of the job first.
 */
const COUNT_STEPS = `
  new_step AS (
    SELECT step, row_number() OVER (ORDER BY position) AS position FROM unnest($2::text[]) WITH ORDINALITY AS given (step, position)
    WHERE NOT EXISTS (SELECT FROM job_event WHERE job_id = $1 AND type = 'progress' AND data->>'step' = step)
  ), new_steps AS (SELECT count(*)::int AS number FROM new_step),
  counted AS (
    UPDATE job SET steps_done = steps_done + CASE WHEN steps_total IS NULL THEN 0 ELSE number END,
      event_seq = event_seq + CASE WHEN steps_total IS NULL THEN 0 ELSE number END
    FROM new_steps WHERE id = $1 AND status = 'processing'
    RETURNING event_seq, steps_done, steps_total, number
  ), event AS (
    INSERT INTO job_event (job_id, seq, type, data)
    SELECT $1, event_seq - number + position, 'progress', ${PROGRESS_DATA_SQL}
    FROM counted CROSS JOIN new_step CROSS JOIN LATERAL (SELECT steps_done - number + position AS completed) AS progress
    WHERE steps_total IS NOT NULL
    RETURNING seq
  )`;

const COMPLETE_STEPS = {
  name: 'complete-steps',
  text: `WITH ${COUNT_STEPS} SELECT steps_total IS NOT NULL AS "isCounted" FROM counted`,
};

/**
 * Steps that were reported before a restart of the job are not counted again. The lock of the job row serializes the
 * steps of a job.
 * @returns false, without counting, while chunking continues and the number of steps is unknown
 * @throws LeaseLostError if the job has ended
 */
export async function recordCompletedSteps(
  tx: EntityManager,
  jobId: string,
  steps: readonly string[],
): Promise<boolean> {
  const [job] = await queryPrepared<{ isCounted: boolean }>(tx, COMPLETE_STEPS, [jobId, steps]);
  if (!job) throw new LeaseLostError(`job ${jobId} has ended`);
  notifyJobEventsAfterCommit(tx, jobId);
  return job.isCounted;
}

export function recordCompletedStep(tx: EntityManager, jobId: string, step: string): Promise<boolean> {
  return recordCompletedSteps(tx, jobId, [step]);
}

/** Counts before it marks the stage as done, because every change of a job locks its row first. */
const COMPLETE_STAGE_AS_STEP = {
  name: 'complete-stage-as-step',
  text: `
    WITH ${COUNT_STEPS}, done AS (
      UPDATE job_stage SET state = 'done', result = $4, finished_at = now(), lease_until = NULL FROM counted
      WHERE job_id = $1 AND name = ANY ($2::text[]) AND fence = $3 AND state = 'running' RETURNING name
    )
    SELECT steps_done >= steps_total - 1 AS "isAggregationNext" FROM counted WHERE EXISTS (SELECT FROM done)`,
};

/**
 * Completes a stage that is one step of its job.
 * @returns whether all steps but aggregation are counted; false while the number of steps is unknown
 * @throws LeaseLostError if the job has ended or the fence is not current; the transaction must then be rolled back
 */
export async function completeStageAsStep(
  tx: EntityManager,
  { jobId, name, fence }: ClaimedStage,
  result: object,
): Promise<boolean> {
  const [job] = await queryPrepared<{ isAggregationNext: boolean | null }>(tx, COMPLETE_STAGE_AS_STEP, [
    jobId,
    [name],
    fence,
    JSON.stringify(result),
  ]);
  if (!job) throw new LeaseLostError(`${name} of ${jobId} is no longer held under fence ${fence}`);
  notifyJobEventsAfterCommit(tx, jobId);
  return job.isAggregationNext === true;
}

const COMPLETE_PREPROCESS = {
  name: 'complete-preprocess',
  text: `
    WITH measured AS (
      UPDATE job SET duration = $3, steps_total = $4 + (
        SELECT count(*) FROM job_event WHERE job_id = $1 AND type = 'progress' AND data->>'step' LIKE 'chunk:%'
          AND split_part(data->>'step', ':', 2)::int >= $5)
      WHERE id = $1 AND status = 'processing' RETURNING id
    ), done AS (
      UPDATE job_stage SET state = 'done', result = $6, finished_at = now(), lease_until = NULL FROM measured
      WHERE job_id = $1 AND name = 'preprocess' AND fence = $2 AND state = 'running' RETURNING name
    )
    SELECT EXISTS (SELECT FROM job_stage WHERE job_id = $1 AND queue = 'chunk') AS "hasChunks"
    FROM measured WHERE EXISTS (SELECT FROM done)`,
};

/**
 * Reported chunks of an earlier chunking still count as steps.
 * @returns whether the job has chunk stages already: of this chunking, or of an earlier one
 * @throws LeaseLostError if the job has ended or the fence is not current; the transaction must then be rolled back
 */
export async function completePreprocess(
  tx: EntityManager,
  { jobId, name, fence }: ClaimedStage,
  { duration, steps, result }: { duration: number; steps: number; result: { chunks: number } },
): Promise<boolean> {
  const [job] = await queryPrepared<{ hasChunks: boolean }>(tx, COMPLETE_PREPROCESS, [
    jobId,
    fence,
    duration,
    steps,
    result.chunks,
    JSON.stringify(result),
  ]);
  if (!job) throw new LeaseLostError(`${name} of ${jobId} is no longer held under fence ${fence}`);
  return job.hasChunks;
}

/** In the order of their completion. */
export async function findDoneChunkNames(tx: EntityManager, jobId: string): Promise<string[]> {
  const chunks = await queryRows<{ name: string }>(
    tx,
    `SELECT name FROM job_stage WHERE job_id = $1 AND queue = 'chunk' AND state = 'done' ORDER BY finished_at, chunk_index`,
    [jobId],
  );
  return chunks.map(({ name }) => name);
}
