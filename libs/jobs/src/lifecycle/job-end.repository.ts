import { type JobSource, queryPrepared } from '@app/database';
import type { EntityManager } from 'typeorm';
import { LeaseLostError } from '../stages/lease-lost-error.js';
import type { ClaimedStage } from '../stages/stage-claim.repository.js';
import type { JobOutcome } from './job-outcome.js';
import { listStatusesLeadingTo } from './job-states.js';

export interface FinishedJobRow {
  accountId: string;
  duration: number | null;
  requestId: string | null;
  source: JobSource;
  totalSeconds: number;
  queuedSeconds: number | null;
  /** Whether the job has a `callback_url`, or its account an enabled endpoint. */
  hasWebhookTargets: boolean;
}

/** As JSON. A longer vocabulary is deleted with the end of the job; a shorter one stays, so that the options can be used again. */
const MAX_KEPT_VOCABULARY_BYTES = 4_000;

/** SQL of a row of `job_stage`. */
const IS_LAST_STAGE_SQL = `name = $8 AND fence = $9 AND state = 'running'`;

/**
 * Locks the row of the job, then ends it and writes its events. With a last stage `$8` under the fence `$9`, it also
 * counts this stage as a step and ends all stages; no stage can be added then.
 */
const END_JOB = {
  name: 'end-job',
  text: `
    WITH step AS (
      SELECT $8::text IS NOT NULL AND NOT EXISTS (
        SELECT FROM job_event WHERE job_id = $1 AND type = 'progress' AND data->>'step' = $8) AS is_new
    ), ended AS (
      UPDATE job
      SET status = $2, result_key = $3, failed_stage = $4, reason = $5, finished_at = now(),
        audio_url = split_part(audio_url, '?', 1),
        options = CASE WHEN octet_length((options->'custom_vocabulary')::text) > ${MAX_KEPT_VOCABULARY_BYTES}
          THEN options || '{"custom_vocabulary": null}' ELSE options END,
        steps_done = steps_done + is_new::int, event_seq = event_seq + 1 + is_new::int
      FROM step WHERE id = $1 AND status = ANY($6)
      RETURNING account_id, event_seq, steps_done, steps_total, is_new, duration, request_id, source, created_at,
        queued_at, options
    ), event AS (
      INSERT INTO job_event (job_id, seq, type, data)
      SELECT $1, event_seq - 1, 'progress', jsonb_build_object('completed', steps_done, 'total', steps_total, 'step', $8)
      FROM ended WHERE is_new
      UNION ALL SELECT $1, event_seq, $2, $7::jsonb FROM ended
    ), stage AS (
      UPDATE job_stage
      SET result = NULL, lease_until = NULL,
        state = CASE WHEN state = 'done' OR ${IS_LAST_STAGE_SQL} THEN 'done' ELSE 'dropped' END,
        fence = CASE WHEN state = 'done' OR ${IS_LAST_STAGE_SQL} THEN fence ELSE fence + 1 END,
        finished_at = CASE WHEN ${IS_LAST_STAGE_SQL} THEN now() ELSE finished_at END
      FROM ended
      WHERE $8 IS NOT NULL AND job_id = $1 AND (state IN ('pending', 'running') OR result IS NOT NULL)
      RETURNING name = $8 AND fence = $9 AND state = 'done' AS is_last
    )
    SELECT account_id AS "accountId", duration, request_id AS "requestId", source,
      extract(epoch FROM now() - created_at)::float8 AS "totalSeconds",
      extract(epoch FROM now() - queued_at)::float8 AS "queuedSeconds",
      options->>'callback_url' IS NOT NULL OR EXISTS (
        SELECT FROM webhook_endpoint endpoint
        WHERE endpoint.account_id = ended.account_id AND enabled AND deleted_at IS NULL) AS "hasWebhookTargets",
      $8 IS NULL OR EXISTS (SELECT FROM stage WHERE is_last) AS "isHeld"
    FROM ended`,
};

/**
 * @param eventData of the terminal event
 * @param lastStage completes with the job
 * @returns undefined if the job had already ended
 * @throws LeaseLostError if the fence of `lastStage` is not current; the transaction must then be rolled back
 */
export async function markJobFinished(
  tx: EntityManager,
  jobId: string,
  outcome: JobOutcome,
  eventData: object,
  lastStage: ClaimedStage | null,
): Promise<FinishedJobRow | undefined> {
  const failure = outcome.status === 'failed' ? outcome : null;
  const [row] = await queryPrepared<FinishedJobRow & { isHeld: boolean }>(tx, END_JOB, [
    jobId,
    outcome.status,
    outcome.status === 'completed' ? outcome.resultKey : null,
    failure?.stage ?? null,
    failure?.reason ?? null,
    listStatusesLeadingTo(outcome.status),
    JSON.stringify(eventData),
    lastStage?.name ?? null,
    lastStage?.fence ?? null,
  ]);
  if (!row) return undefined;
  const { isHeld, ...finishedJob } = row;
  if (!isHeld) throw new LeaseLostError(`${lastStage?.name} of ${jobId} is no longer held`);
  return finishedJob;
}
