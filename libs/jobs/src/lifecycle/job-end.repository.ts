import {
  deferPreparedStatementToNextRoundTrip,
  type JobAudioSource,
  queryPrepared,
  buildFailUnlessSql,
} from '@app/database';
import type { EntityManager } from 'typeorm';
import { LeaseLostError } from '../stages/lease-lost-error.js';
import type { ClaimedStage } from '../stages/stage-claim.repository.js';
import type { StageName } from '../stages/stage-names.js';
import type { CompletedOutcome, JobOutcome } from './job-outcome.js';
import { listStatusesLeadingTo } from './job-states.js';

export interface EndedJobRow {
  accountId: string;
  duration: number | null;
  requestId: string | null;
  traceparent: string | null;
  source: JobAudioSource;
  totalSeconds: number;
  queuedSeconds: number | null;
}

/** As JSON. A longer vocabulary is deleted with the end of the job; a shorter one stays, so that the options can be used again. */
const MAX_KEPT_VOCABULARY_BYTES = 4_000;

/** What completes a job. */
export interface LastStageCompletion {
  /** Its lease is checked, and it is done with the job. */
  stage: ClaimedStage;
  /** What its worker has done, in this order: the stage, and those that it went on with. */
  steps: readonly StageName[];
}

/** SQL of a row of `job_stage`. */
const IS_LAST_STAGE_SQL = `name = $9 AND fence = $10 AND state = 'running'`;

/**
 * Locks the row of the job, then ends it and writes its events. With a last stage `$9` under the fence `$10`, it also
 * counts the steps `$8`, those that have not been reported, and ends all stages; no stage can be added then. Steps that
 * were no stages become done ones, for operators.
 */
const END = `
    WITH new_step AS (
      SELECT step, row_number() OVER (ORDER BY position)::int AS position
      FROM unnest($8::text[]) WITH ORDINALITY AS given (step, position)
      WHERE NOT EXISTS (SELECT FROM job_event WHERE job_id = $1 AND type = 'progress' AND data->>'step' = step)
    ), new_steps AS (SELECT count(*)::int AS number FROM new_step),
    ended AS (
      UPDATE job
      SET status = $2, result_key = $3, failed_stage = $4, reason = $5, finished_at = now(),
        audio_url = split_part(audio_url, '?', 1),
        options = CASE WHEN octet_length((options->'custom_vocabulary')::text) > ${MAX_KEPT_VOCABULARY_BYTES}
          THEN options || '{"custom_vocabulary": null}' ELSE options END,
        steps_done = steps_done + number, event_seq = event_seq + 1 + number
      FROM new_steps WHERE id = $1 AND status = ANY($6)
      RETURNING account_id, event_seq, steps_done, steps_total, number, duration, request_id, traceparent, source,
        created_at, queued_at, options
    ), event AS (
      INSERT INTO job_event (job_id, seq, type, data)
      SELECT $1, event_seq - 1 - number + position, 'progress',
        jsonb_build_object('completed', steps_done - number + position, 'total', steps_total, 'step', step)
      FROM ended CROSS JOIN new_step
      UNION ALL SELECT $1, event_seq, $2, $7::jsonb FROM ended
    ), joined_stage AS (
      INSERT INTO job_stage (job_id, account_id, name, queue, state, attempts, started_at, finished_at)
      SELECT $1, account_id, step, step, 'done', 1, now(), now()
      FROM ended CROSS JOIN unnest($8::text[]) AS given (step) WHERE step <> $9
      ON CONFLICT DO NOTHING
    ), stage AS (
      UPDATE job_stage
      SET result = NULL, lease_until = NULL,
        state = CASE WHEN state = 'done' OR ${IS_LAST_STAGE_SQL} THEN 'done' ELSE 'dropped' END,
        fence = CASE WHEN state = 'done' OR ${IS_LAST_STAGE_SQL} THEN fence ELSE fence + 1 END,
        finished_at = CASE WHEN ${IS_LAST_STAGE_SQL} THEN now() ELSE finished_at END
      FROM ended
      WHERE $9::text IS NOT NULL AND job_id = $1 AND (state IN ('pending', 'running') OR result IS NOT NULL)
      RETURNING name = $9 AND fence = $10 AND state = 'done' AS is_last
    )`;

const ENDED_JOB_COLUMNS = `
      account_id AS "accountId", duration, request_id AS "requestId", traceparent, source,
      extract(epoch FROM now() - created_at)::float8 AS "totalSeconds",
      extract(epoch FROM now() - queued_at)::float8 AS "queuedSeconds"`;

const END_JOB = {
  name: 'end-job',
  text: `${END}
    SELECT ${ENDED_JOB_COLUMNS},
      options->>'callback_url' IS NOT NULL OR EXISTS (
        SELECT FROM webhook_endpoint endpoint
        WHERE endpoint.account_id = ended.account_id AND enabled AND deleted_at IS NULL) AS "hasWebhookTargets"
    FROM ended`,
};

const COMPLETE_JOB = {
  name: 'complete-job',
  text: `${END}
    SELECT ${ENDED_JOB_COLUMNS}, ${buildFailUnlessSql('EXISTS (SELECT FROM stage WHERE is_last)', 'held stage')}
    FROM (VALUES (1)) AS always LEFT JOIN ended ON true`,
};

/**
 * @param eventData of the event that reports the end
 * @returns undefined if the job had already ended
 */
export async function markJobEnded(
  tx: EntityManager,
  jobId: string,
  outcome: JobOutcome,
  eventData: object,
): Promise<(EndedJobRow & { hasWebhookTargets: boolean }) | undefined> {
  const values = listValues(jobId, outcome, eventData, null);
  const [row] = await queryPrepared<EndedJobRow & { hasWebhookTargets: boolean }>(tx, END_JOB, values);
  return row;
}

/**
 * Ends a job with its last stage. The commit fails with `LeaseLostError` if the fence of the stage is not current, or the
 * job has ended.
 * @param onEnded called before the commit is reported
 */
export async function deferMarkJobCompleted(
  tx: EntityManager,
  outcome: CompletedOutcome,
  completion: LastStageCompletion,
  onEnded: (row: EndedJobRow) => void,
): Promise<void> {
  const { jobId, name } = completion.stage;
  await deferPreparedStatementToNextRoundTrip<EndedJobRow>(
    tx,
    COMPLETE_JOB,
    listValues(jobId, outcome, {}, completion),
    {
      onRows: ([row]) => row && onEnded(row),
      createError: () => new LeaseLostError(`${name} of ${jobId} is no longer held`),
    },
  );
}

function listValues(
  jobId: string,
  outcome: JobOutcome,
  eventData: object,
  completion: LastStageCompletion | null,
): unknown[] {
  const failure = outcome.status === 'failed' ? outcome : null;
  const { stage, steps = [] } = completion ?? {};
  return [
    jobId,
    outcome.status,
    outcome.status === 'completed' ? outcome.resultKey : null,
    failure?.stage ?? null,
    failure?.reason ?? null,
    listStatusesLeadingTo(outcome.status),
    JSON.stringify(eventData),
    steps,
    stage?.name ?? null,
    stage?.fence ?? null,
  ];
}
