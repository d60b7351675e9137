import { deferPreparedStatementToNextRoundTrip } from '@app/database';
import type { EntityManager } from 'typeorm';
import {
  INSERT_MESSAGES_OF_ADDED_STAGES_SQL,
  type OutboxMessage,
  attachOutboxMessagesToTransaction,
} from '../outbox/outbox.repository.js';
import type { ClaimedStage } from './stage-claim.repository.js';

/**
 * Adds aggregation if the job has no open chunks and, with `$2`, all other steps are counted. With `$3` its row is that of
 * `INSERT_STAGES` after the first claim, without a message, unless another aggregation waits. It sees the chunks that were
 * committed before it began, and the lock of the job keeps others from being committed. The lease begins now, not with the
 * transaction, which may have waited for that lock.
 */
const INSERT_AGGREGATION = {
  name: 'insert-aggregation',
  text: `
    WITH due AS (
      SELECT id, account_id, duration,
        $3 AND NOT EXISTS (
          SELECT FROM job_stage WHERE state = 'pending' AND queue = 'aggregation' AND due_at <= now())
        AND ($5::int IS NULL OR $5 > (
          SELECT count(*) FROM job_stage busy
          WHERE busy.state = 'running' AND busy.queue = 'aggregation' AND busy.account_id = job.account_id)) AS is_claimed
      FROM job
      WHERE id = $1 AND (NOT $2 OR steps_done >= steps_total - 1)
        AND NOT EXISTS (SELECT FROM job_stage WHERE job_id = $1 AND queue = 'chunk' AND state <> 'done')
    ), inserted AS (
      INSERT INTO job_stage (job_id, account_id, name, queue, place, state, fence, attempts, lease_until, started_at)
      SELECT id, account_id, 'aggregation', 'aggregation', 1 + COALESCE(
          (SELECT place FROM job_stage waiting
           WHERE state = 'pending' AND waiting.queue = 'aggregation' AND waiting.account_id = due.account_id AND due_at <= now()
           ORDER BY place LIMIT 1), 0),
        CASE WHEN is_claimed THEN 'running' ELSE 'pending' END, is_claimed::int, is_claimed::int,
        CASE WHEN is_claimed THEN clock_timestamp() + make_interval(secs => $4) END, CASE WHEN is_claimed THEN now() END
      FROM due
      ON CONFLICT DO NOTHING
      RETURNING job_id, account_id, name, queue, chunk_index, state, fence, attempts
    ), taken AS (
      INSERT INTO turn (queue, account_id, last_turn, waiting)
      SELECT queue, account_id, nextval('stage_turn'), false FROM inserted WHERE state = 'running'
      ON CONFLICT (queue, account_id) DO UPDATE SET last_turn = excluded.last_turn, taken_at = clock_timestamp()
    ), added AS (
      SELECT job_id, name, queue, chunk_index, fence FROM inserted WHERE state = 'pending'
    ), message AS (${INSERT_MESSAGES_OF_ADDED_STAGES_SQL})
    SELECT fence, attempts, duration, NULL AS message FROM inserted CROSS JOIN due WHERE state = 'running'
    UNION ALL SELECT NULL, NULL, NULL, to_jsonb(message) FROM message`,
};

type InsertedRow =
  { fence: number; attempts: number; duration: number; message: null } | { message: OutboxMessage };

export interface AggregationStageClaimOptions {
  leaseSeconds: number;
  /** Running aggregations of one account; null for any number. */
  maxPerAccount: number | null;
}

async function addAggregation(
  tx: EntityManager,
  jobId: string,
  isCounted: boolean,
  claim: AggregationStageClaimOptions | null,
  onClaimed: (row: { fence: number; attempts: number; duration: number }) => void,
): Promise<void> {
  const { leaseSeconds = 0, maxPerAccount = null } = claim ?? {};
  const values = [jobId, isCounted, claim !== null, leaseSeconds, maxPerAccount];
  const onRows = (rows: InsertedRow[]) => {
    for (const row of rows) {
      if (row.message === null) onClaimed(row);
      else attachOutboxMessagesToTransaction(tx, [row.message]);
    }
  };
  await deferPreparedStatementToNextRoundTrip<InsertedRow>(tx, INSERT_AGGREGATION, values, { onRows });
}

/** Call it under the lock of the job, after chunking. */
export async function scheduleAggregationIfChunksDone(tx: EntityManager, jobId: string): Promise<void> {
  await addAggregation(tx, jobId, false, null, () => undefined);
}

/**
 * Adds aggregation if the chunk was the last one. Call it in the transaction that completes the chunk, after that.
 * @param claim if this process may claim it at once: unless others wait, or the account has as many running as it may
 * @returns called after the commit: the claimed stage, or null
 */
export async function scheduleOrClaimAggregationIfLastChunk(
  tx: EntityManager,
  { jobId, accountId, job }: ClaimedStage,
  claim: AggregationStageClaimOptions | null,
): Promise<() => ClaimedStage | null> {
  let claimed: ClaimedStage | null = null;
  await addAggregation(tx, jobId, true, claim, ({ fence, attempts, duration }) => {
    const name = 'aggregation' as const;
    claimed = {
      jobId,
      accountId,
      name,
      chunkIndex: 0,
      input: null,
      fence,
      attempts,
      crashes: 0,
      job: { ...job, duration },
    };
  });
  return () => claimed;
}
