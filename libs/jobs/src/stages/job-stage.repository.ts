import { deferPreparedStatementToNextRoundTrip, queryRows } from '@app/database';
import type { EntityManager } from 'typeorm';
import {
  type DueStage,
  INSERT_MESSAGES_OF_ADDED_STAGES_SQL,
  enqueueStageMessages,
  type OutboxMessage,
  attachOutboxMessagesToTransaction,
} from '../outbox/outbox.repository.js';
import type { ClaimedStage } from './stage-claim.repository.js';
import { LeaseLostError } from './lease-lost-error.js';
import { getStageQueue, type StageName } from './stage-names.js';

export interface NewStage {
  name: StageName;
  chunkIndex: number;
  input: Record<string, unknown> | null;
}

/** What a stage works on, without where chunks are stored: its own audio, and that of the chunks of its speaker block. */
const buildWorkSql = (input: string) =>
  `jsonb_build_array((${input} - 'key') #- '{speakerBlock,chunks}',
     jsonb_path_query_array(${input}, '$.speakerBlock.chunks[*].parts'))`;

/**
 * A job starts right after the lowest waiting rank of its account and continues after its own stages, so a
 * short recording overtakes the rest of a long one. The lowest rank is not assigned again, so every waiting
 * stage is reached. An existing stage keeps its holder and result unless its input differs (apart from
 * object keys); then it starts over. Unchanged stages are excluded, because a conflict would lock them, and
 * claims would skip them.
 */
const INSERT_STAGES = {
  name: 'insert-stages',
  text: `
    WITH added AS (
      INSERT INTO job_stage AS there (job_id, account_id, name, queue, chunk_index, input, due_at, place)
      SELECT job.id, job.account_id, stage.name, stage.queue, chunk_index, input, now(), rank + COALESCE(before.place, 0)
      FROM job, unnest($2::text[], $3::text[], $4::int[], $5::jsonb[])
          WITH ORDINALITY AS stage (name, queue, chunk_index, input, rank)
        CROSS JOIN LATERAL (SELECT GREATEST(
          (SELECT place FROM job_stage waiting
           WHERE state = 'pending' AND waiting.queue = stage.queue AND account_id = job.account_id AND due_at <= now()
           ORDER BY place LIMIT 1),
          (SELECT max(place) FROM job_stage own WHERE own.job_id = job.id AND own.queue = stage.queue)
        ) AS place) AS before
      WHERE job.id = $1 AND NOT EXISTS (
        SELECT FROM job_stage same WHERE same.job_id = job.id AND same.name = stage.name
          AND ${buildWorkSql('same.input')} = ${buildWorkSql('stage.input')})
      ON CONFLICT (job_id, name) DO UPDATE
      SET input = excluded.input, state = 'pending', fence = there.fence + 1, attempts = 0, crashes = 0, due_at = now(),
        waiting_since = now(), lease_until = NULL, result = NULL, last_error = NULL, started_at = NULL, finished_at = NULL
      RETURNING job_id, name, queue, chunk_index, fence
    )
    ${INSERT_MESSAGES_OF_ADDED_STAGES_SQL}`,
};

/**
 * Call it in the transaction that makes the stages due, under the lock of the job. An existing stage whose
 * input differs starts over, and its holder loses the lease. Their messages are written with them.
 */
export async function addOrRestartStages(
  tx: EntityManager,
  jobId: string,
  stages: NewStage[],
): Promise<void> {
  if (stages.length === 0) return;
  const values = [
    jobId,
    stages.map(({ name }) => name),
    stages.map(({ name }) => getStageQueue(name)),
    stages.map(({ chunkIndex }) => chunkIndex),
    stages.map(({ input }) => (input === null ? null : JSON.stringify(input))),
  ];
  await deferPreparedStatementToNextRoundTrip<OutboxMessage>(tx, INSERT_STAGES, values, {
    onRows: (messages) => attachOutboxMessagesToTransaction(tx, messages),
  });
}

export interface ReleaseStageOptions {
  /** Before the next message. */
  delaySeconds: number;
  /** False after a shutdown or an outage of a dependency. */
  countsAsAttempt: boolean;
  /** Instead: the stage may have taken a dependency down. */
  countsAsCrash?: boolean;
  error: string | null;
}

/**
 * Raises the fence, so later writes of the previous holder fail. @returns false if the lease was already lost
 */
export async function releaseStage(
  tx: EntityManager,
  stage: ClaimedStage,
  options: ReleaseStageOptions,
): Promise<boolean> {
  const { jobId, name, fence, chunkIndex } = stage;
  const returned = await queryRows(
    tx,
    `UPDATE job_stage
     SET state = 'pending', fence = fence + 1, attempts = attempts - $4, crashes = crashes + $7, lease_until = NULL, last_error = $5,
         due_at = now() + make_interval(secs => $6), waiting_since = now() + make_interval(secs => $6)
     WHERE job_id = $1 AND name = $2 AND fence = $3 AND state = 'running' RETURNING job_id`,
    [
      ...[jobId, name, fence, options.countsAsAttempt || options.countsAsCrash ? 0 : 1],
      ...[options.error, options.delaySeconds, options.countsAsCrash ? 1 : 0],
    ],
  );
  if (returned.length === 0) return false;
  await enqueueStageMessages(tx, [
    { jobId, name, chunkIndex, fence: fence + 1, delaySeconds: options.delaySeconds },
  ]);
  return true;
}

/** Records the error of a stage that ends its job. @param error for operators */
export async function recordStageError(
  tx: EntityManager,
  { jobId, name, fence }: ClaimedStage,
  error: string,
): Promise<void> {
  await queryRows(tx, 'UPDATE job_stage SET last_error = $4 WHERE job_id = $1 AND name = $2 AND fence = $3', [
    jobId,
    name,
    fence,
    error,
  ]);
}

/** @throws LeaseLostError if the fence is not current; the transaction must then be rolled back */
export async function completeStage(
  tx: EntityManager,
  { jobId, name, fence }: ClaimedStage,
  result: object | null,
): Promise<void> {
  const done = await queryRows(
    tx,
    `UPDATE job_stage SET state = 'done', result = $4, finished_at = now(), lease_until = NULL
     WHERE job_id = $1 AND name = $2 AND fence = $3 AND state = 'running' RETURNING job_id`,
    [jobId, name, fence, result === null ? null : JSON.stringify(result)],
  );
  if (done.length === 0)
    throw new LeaseLostError(`${name} of ${jobId} is no longer held under fence ${fence}`);
}

const DELETE_CHUNKS = {
  name: 'delete-chunks',
  text: `DELETE FROM job_stage WHERE job_id = $1 AND queue = 'chunk' AND chunk_index >= $2`,
};

/** They belong to an earlier chunking. */
export async function deleteChunkStagesFromIndex(
  tx: EntityManager,
  jobId: string,
  index: number,
): Promise<void> {
  await deferPreparedStatementToNextRoundTrip(tx, DELETE_CHUNKS, [jobId, index]);
}

/** Sum of the chunks; if channels are transcribed apart, their mean: the price is that of the recording, not of its channels. */
export async function sumDoneChunkSeconds(tx: EntityManager, jobId: string): Promise<number> {
  const [sum] = await queryRows<{ seconds: number | null }>(
    tx,
    `SELECT sum(COALESCE((input->'packed'->>'seconds')::float8, (input->>'end')::float8 - (input->>'start')::float8))
         FILTER (WHERE state = 'done')
         / GREATEST(1, count(DISTINCT input->>'channel')) AS seconds
     FROM job_stage WHERE job_id = $1 AND queue = 'chunk'`,
    [jobId],
  );
  return sum?.seconds ?? 0;
}

/** Differs from every chunk input, so the next chunking restarts the chunk with its new key. */
const NO_INPUT = '{}';

/** Their holders lose the lease. @param name of one chunk, or null for all */
export async function dropOpenChunkStagesUntilRechunked(
  tx: EntityManager,
  jobId: string,
  name: string | null,
): Promise<void> {
  await tx.query(
    `UPDATE job_stage SET state = 'dropped', fence = fence + 1, lease_until = NULL, input = $3
     WHERE job_id = $1 AND queue = 'chunk' AND state IN ('pending', 'running') AND ($2::text IS NULL OR name = $2)`,
    [jobId, name, NO_INPUT],
  );
}

/** Preprocess is added again when the audio is stored. Its holder loses the lease. */
export async function dropPreprocessStageUntilRefetched(tx: EntityManager, jobId: string): Promise<void> {
  await tx.query(
    `UPDATE job_stage SET state = 'dropped', fence = fence + 1, lease_until = NULL, input = $2
     WHERE job_id = $1 AND name = 'preprocess'`,
    [jobId, NO_INPUT],
  );
}

/** A holder loses the lease. */
export async function requeueStageWithLostOutput(
  tx: EntityManager,
  jobId: string,
  name: 'fetch' | 'preprocess',
): Promise<void> {
  const due = await queryRows<DueStage>(
    tx,
    `UPDATE job_stage SET state = 'pending', fence = fence + 1, due_at = now(), waiting_since = now(), result = NULL, finished_at = NULL,
       last_error = 'What it had made was gone from the object store.'
     WHERE job_id = $1 AND name = $2
     RETURNING job_id AS "jobId", name, chunk_index AS "chunkIndex", fence`,
    [jobId, name],
  );
  await enqueueStageMessages(tx, due);
}

/**
 * Deletes the results of all stages too, so that words and speaker features are not retained. An ended job is
 * never claimed again.
 */
export async function markOpenStagesDroppedAndClearResults(tx: EntityManager, jobId: string): Promise<void> {
  await tx.query(
    `UPDATE job_stage
     SET state = CASE WHEN state = 'done' THEN state ELSE 'dropped' END, result = NULL,
       fence = CASE WHEN state = 'done' THEN fence ELSE fence + 1 END, lease_until = NULL
     WHERE job_id = $1 AND (state IN ('pending', 'running') OR result IS NOT NULL)`,
    [jobId],
  );
}

/** Holders lose the lease. */
export async function markAllStagesDone(tx: EntityManager, jobId: string): Promise<void> {
  await tx.query(
    `UPDATE job_stage SET state = 'done', fence = fence + 1, lease_until = NULL, finished_at = now()
     WHERE job_id = $1 AND state <> 'done'`,
    [jobId],
  );
}
