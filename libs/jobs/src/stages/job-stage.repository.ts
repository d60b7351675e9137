import { JobStage, queryRows } from '@app/database';
import { type EntityManager, MoreThanOrEqual } from 'typeorm';
import { enqueueOutbox, type OutboxMessage } from '../outbox/outbox.repository.js';
import type { ClaimedStage } from './stage-claim.repository.js';
import { LeaseLostError } from './lease-lost-error.js';
import { getStageQueue, type StageName } from './stage-names.js';

export interface NewStage {
  name: StageName;
  chunkIndex: number;
  input: Record<string, unknown> | null;
}

/**
 * The stages of a job are taken up in their order, those of an account's jobs by turns: a job begins right behind the
 * lowest place that is waiting, and goes on behind its own. So a short recording passes the rest of a long one; and as the
 * lowest place is not given out again, whatever waits is reached, however much follows.
 *
 * Work that is repeated adds its stages again. What is there already stays as it is, with its holder and its result; only
 * where it was given something else to work on does it begin anew. (Where the bytes lie is nothing else.) What stays is
 * not touched: a conflict would lock it even where nothing is changed, and whoever comes for it then passes it over.
 */
const INSERT_STAGES = `
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
      AND same.input - 'key' IS NOT DISTINCT FROM stage.input - 'key')
  ON CONFLICT (job_id, name) DO UPDATE
  SET input = excluded.input, state = 'pending', fence = there.fence + 1, attempts = 0, due_at = now(),
    waiting_since = now(), lease_until = NULL, result = NULL, last_error = NULL, started_at = NULL, finished_at = NULL
  RETURNING job_id AS "jobId", name, chunk_index AS "chunkIndex", fence`;

/**
 * Writes stages and owes them to the queue, in one transaction with what made them due and under the job's lock. A stage
 * that the job has already is left alone, unless its input differs: then whoever has it loses it, and it begins anew.
 */
export async function addStages(tx: EntityManager, jobId: string, stages: NewStage[]): Promise<void> {
  if (stages.length === 0) return;
  const added = await queryRows<OutboxMessage>(tx, INSERT_STAGES, [
    jobId,
    stages.map(({ name }) => name),
    stages.map(({ name }) => getStageQueue(name)),
    stages.map(({ chunkIndex }) => chunkIndex),
    stages.map(({ input }) => (input === null ? null : JSON.stringify(input))),
  ]);
  await enqueueOutbox(tx, added);
}

export interface ReleaseOptions {
  /** Seconds until it is delivered again. */
  delaySeconds: number;
  /** False for a start that was nobody's fault (shutdown, a dependency away): it is not counted. */
  countsAsAttempt: boolean;
  /** For operators. */
  error: string | null;
}

/**
 * Gives a stage back to be tried again. The fence is raised, so whatever its last holder still writes is void.
 * @returns false when it was no longer ours.
 */
export async function releaseStage(
  tx: EntityManager,
  stage: ClaimedStage,
  options: ReleaseOptions,
): Promise<boolean> {
  const { jobId, name, fence, chunkIndex } = stage;
  const returned = await queryRows(
    tx,
    `UPDATE job_stage
     SET state = 'pending', fence = fence + 1, attempts = attempts - $4, lease_until = NULL, last_error = $5,
         due_at = now() + make_interval(secs => $6), waiting_since = now() + make_interval(secs => $6)
     WHERE job_id = $1 AND name = $2 AND fence = $3 AND state = 'running' RETURNING job_id`,
    [jobId, name, fence, options.countsAsAttempt ? 0 : 1, options.error, options.delaySeconds],
  );
  if (returned.length === 0) return false;
  await enqueueOutbox(tx, [{ jobId, name, chunkIndex, fence: fence + 1 }], options.delaySeconds);
  return true;
}

/**
 * Marks the stage done with its result. The fence decides whether this holder may still write.
 * @throws LeaseLostError otherwise; the transaction must then be rolled back.
 */
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

/** Chunks that an earlier cut of the file had and this one has not. */
export async function deleteChunksFrom(tx: EntityManager, jobId: string, index: number): Promise<void> {
  await tx.delete(JobStage, { jobId, queue: 'chunk', chunkIndex: MoreThanOrEqual(index) });
}

/** In the order in which they were done. */
export async function findDoneChunks(tx: EntityManager, jobId: string): Promise<JobStage[]> {
  return tx.find(JobStage, {
    select: { jobId: true, name: true },
    where: { jobId, queue: 'chunk', state: 'done' },
    order: { finishedAt: 'ASC', chunkIndex: 'ASC' },
  });
}

export async function hasOpenChunks(tx: EntityManager, jobId: string): Promise<boolean> {
  const open = await queryRows(
    tx,
    `SELECT 1 FROM job_stage WHERE job_id = $1 AND queue = 'chunk' AND state <> 'done' LIMIT 1`,
    [jobId],
  );
  return open.length > 0;
}

/** Seconds of audio. */
export async function sumDoneChunkSeconds(tx: EntityManager, jobId: string): Promise<number> {
  const [sum] = await queryRows<{ seconds: number | null }>(
    tx,
    `SELECT sum((input->>'end')::float8 - (input->>'start')::float8) AS seconds
     FROM job_stage WHERE job_id = $1 AND queue = 'chunk' AND state = 'done'`,
    [jobId],
  );
  return sum?.seconds ?? 0;
}

/** No input of a chunk is like it: the cut that comes next begins the chunk anew, under the key where it then lies. */
const NO_INPUT = '{}';

/** @param name of the one chunk, or null for all that are open; whoever has one loses it */
export async function dropOpenChunks(tx: EntityManager, jobId: string, name: string | null): Promise<void> {
  await tx.query(
    `UPDATE job_stage SET state = 'dropped', fence = fence + 1, lease_until = NULL, input = $3
     WHERE job_id = $1 AND queue = 'chunk' AND state IN ('pending', 'running') AND ($2::text IS NULL OR name = $2)`,
    [jobId, name, NO_INPUT],
  );
}

/** Whoever has it loses it. */
export async function requeuePreprocess(tx: EntityManager, jobId: string): Promise<void> {
  const due = await queryRows<OutboxMessage>(
    tx,
    `UPDATE job_stage SET state = 'pending', fence = fence + 1, due_at = now(), waiting_since = now(), result = NULL, finished_at = NULL,
       last_error = 'What it had made was gone from the object store.'
     WHERE job_id = $1 AND name = 'preprocess'
     RETURNING job_id AS "jobId", name, chunk_index AS "chunkIndex", fence`,
    [jobId],
  );
  await enqueueOutbox(tx, due);
}

/**
 * Nobody works on them any more, and what they made is in the transcript or of no use: words and voices are kept no
 * longer than that takes. A terminal job is never taken up again, so nothing can want them back.
 */
export async function dropOpenStages(tx: EntityManager, jobId: string): Promise<void> {
  await tx.query(
    `UPDATE job_stage
     SET state = CASE WHEN state = 'done' THEN state ELSE 'dropped' END, result = NULL,
       fence = CASE WHEN state = 'done' THEN fence ELSE fence + 1 END, lease_until = NULL
     WHERE job_id = $1 AND (state IN ('pending', 'running') OR result IS NOT NULL)`,
    [jobId],
  );
}

/** Whoever has one loses it: its job is done without it. */
export async function markStagesDone(tx: EntityManager, jobId: string): Promise<void> {
  await tx.query(
    `UPDATE job_stage SET state = 'done', fence = fence + 1, lease_until = NULL, finished_at = now()
     WHERE job_id = $1 AND state <> 'done'`,
    [jobId],
  );
}
