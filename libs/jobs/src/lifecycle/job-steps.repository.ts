import { deferPreparedStatementToNextRoundTrip, buildFailUnlessSql } from '@app/database';
import type { EntityManager } from 'typeorm';
import { notifyJobEventsAfterCommit } from '../events/job-event.repository.js';
import { LeaseLostError } from '../stages/lease-lost-error.js';
import type { ClaimedStage } from '../stages/stage-claim.repository.js';

/** SQL of the `data` of a progress event. */
const PROGRESS_DATA_SQL = `jsonb_build_object('completed', completed, 'total', steps_total, 'step', step)`;

/**
 * Counts steps in their order and writes their events. Steps that were reported before, such as before a restart of the job,
 * or whose job has no number of steps yet, are not counted. Waits for the lock of the job first, which serializes its steps.
 * @param steps SQL of an array of their names
 */
const countStepsSql = (steps: string): string => `
  new_step AS (
    SELECT step, row_number() OVER (ORDER BY position) AS position FROM unnest(${steps}) WITH ORDINALITY AS given (step, position)
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

const COMPLETE_STEP = {
  name: 'complete-step',
  text: `WITH ${countStepsSql('ARRAY[$2::text]')} SELECT ${buildFailUnlessSql('EXISTS (SELECT FROM counted)', 'open job')}`,
};

/** Only when the number of steps is known. The transaction fails with `LeaseLostError` if the job has ended. */
export async function recordCompletedStep(tx: EntityManager, jobId: string, step: string): Promise<void> {
  await deferPreparedStatementToNextRoundTrip(tx, COMPLETE_STEP, [jobId, step], {
    createError: () => new LeaseLostError(`job ${jobId} has ended`),
  });
  notifyJobEventsAfterCommit(tx, jobId);
}

const COMPLETE_STEPS_OF_DONE_CHUNKS = {
  name: 'complete-steps-of-done-chunks',
  text: `WITH ${countStepsSql(`COALESCE((
    SELECT array_agg(name ORDER BY finished_at, chunk_index) FROM job_stage
    WHERE job_id = $1 AND queue = 'chunk' AND state = 'done'), '{}')`)} SELECT FROM counted`,
};

/** Chunks that were done while the number of steps was unknown. Call it under the lock of the job. */
export async function recordStepsOfDoneChunks(tx: EntityManager, jobId: string): Promise<void> {
  await deferPreparedStatementToNextRoundTrip(tx, COMPLETE_STEPS_OF_DONE_CHUNKS, [jobId]);
  notifyJobEventsAfterCommit(tx, jobId);
}

/** Counts before it marks the stage as done, because every change of a job locks its row first. */
const COMPLETE_STAGE_AS_STEP = {
  name: 'complete-stage-as-step',
  text: `
    WITH ${countStepsSql('ARRAY[$2::text]')}, done AS (
      UPDATE job_stage SET state = 'done', result = $4, finished_at = now(), lease_until = NULL FROM counted
      WHERE job_id = $1 AND name = $2 AND fence = $3 AND state = 'running' RETURNING name
    )
    SELECT ${buildFailUnlessSql('EXISTS (SELECT FROM done)', 'held stage')}`,
};

/**
 * Completes a stage that is one step of its job. The transaction fails with `LeaseLostError` if the job has ended or the
 * fence is not current.
 */
export async function completeStageAndRecordStep(
  tx: EntityManager,
  stage: ClaimedStage,
  result: object,
): Promise<void> {
  const { jobId, name, fence } = stage;
  await deferPreparedStatementToNextRoundTrip(
    tx,
    COMPLETE_STAGE_AS_STEP,
    [jobId, name, fence, JSON.stringify(result)],
    {
      createError: () => createLeaseLostError(stage),
    },
  );
  notifyJobEventsAfterCommit(tx, jobId);
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
    SELECT ${buildFailUnlessSql('EXISTS (SELECT FROM done)', 'held stage')}`,
};

/**
 * Reported chunks of an earlier chunking still count as steps. The transaction fails with `LeaseLostError` if the job has
 * ended or the fence is not current.
 */
export async function recordPreprocessResultAndEndStage(
  tx: EntityManager,
  stage: ClaimedStage,
  { duration, steps, result }: { duration: number; steps: number; result: { chunks: number } },
): Promise<void> {
  const { jobId, fence } = stage;
  const values = [jobId, fence, duration, steps, result.chunks, JSON.stringify(result)];
  await deferPreparedStatementToNextRoundTrip(tx, COMPLETE_PREPROCESS, values, {
    createError: () => createLeaseLostError(stage),
  });
}

function createLeaseLostError({ jobId, name, fence }: ClaimedStage): LeaseLostError {
  return new LeaseLostError(`${name} of ${jobId} is no longer held under fence ${fence}`);
}
