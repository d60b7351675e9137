import { queryRows } from '@app/database';
import type { EntityManager } from 'typeorm';
import { type OutboxMessage, enqueueOutbox } from '../outbox/outbox.js';
import { type StageName, getStageQueue } from './stage-names.js';

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
