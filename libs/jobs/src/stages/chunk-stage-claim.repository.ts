import { deferPreparedStatementToNextRoundTrip } from '@app/database';
import type { EntityManager } from 'typeorm';
import {
  INSERT_MESSAGES_OF_ADDED_STAGES_SQL,
  type OutboxMessage,
  attachOutboxMessagesToTransaction,
} from '../outbox/outbox.repository.js';
import type { NewStage } from './job-stage.repository.js';
import type { ClaimedStage } from './stage-claim.repository.js';

/**
 * The row of a claimed chunk is that of `INSERT_STAGES` after a claim, without a queue message. Its fence stays 0, which no
 * other claim has, so the transcript that the worker of an only chunk may store has a key of its own. Chunks that wait are
 * served first: they are older. The mark `waiting` of accounts is not read, because it stays for a while after their last
 * chunk was claimed. What is looked up once is materialized: Postgres would repeat it for each use, and plan the statement
 * anew for each call. The lease begins now, not with the transaction, which may have waited for locks.
 */
const INSERT_FIRST_CHUNKS = {
  name: 'insert-first-chunks',
  text: `
    WITH claimable AS MATERIALIZED (
      SELECT id, account_id, COALESCE(
        (SELECT place FROM job_stage waiting
         WHERE state = 'pending' AND waiting.queue = 'chunk' AND waiting.account_id = job.account_id AND due_at <= now()
         ORDER BY place LIMIT 1), 0) AS lowest_place,
        CASE WHEN NOT EXISTS (SELECT FROM job_stage WHERE state = 'pending' AND queue = 'chunk' AND due_at <= now())
        THEN LEAST($5, $7::int - (
          SELECT count(*)::int FROM job_stage busy
          WHERE busy.state = 'running' AND busy.queue = 'chunk' AND busy.account_id = job.account_id))
        ELSE 0 END AS number
      FROM job WHERE id = $1
    ), inserted AS (
      INSERT INTO job_stage (job_id, account_id, name, queue, chunk_index, input, place,
        state, attempts, lease_until, started_at)
      SELECT id, account_id, stage.name, 'chunk', chunk_index, input, rank + lowest_place,
        CASE WHEN rank <= number THEN 'running' ELSE 'pending' END, CASE WHEN rank <= number THEN 1 ELSE 0 END,
        CASE WHEN rank <= number THEN clock_timestamp() + make_interval(secs => $6) END, CASE WHEN rank <= number THEN now() END
      FROM claimable, unnest($2::text[], $3::int[], $4::jsonb[])
        WITH ORDINALITY AS stage (name, chunk_index, input, rank)
      RETURNING job_id, account_id, name, queue, chunk_index, state, fence, attempts
    ), taken AS (
      INSERT INTO turn (queue, account_id, last_turn, waiting)
      SELECT 'chunk', account_id, nextval('stage_turn'), false FROM inserted WHERE state = 'running' LIMIT 1
      ON CONFLICT (queue, account_id) DO UPDATE SET last_turn = excluded.last_turn, taken_at = clock_timestamp()
    ), added AS (
      SELECT job_id, name, queue, chunk_index, fence FROM inserted WHERE state = 'pending'
    ), message AS (${INSERT_MESSAGES_OF_ADDED_STAGES_SQL})
    SELECT name, fence, attempts, NULL AS message FROM inserted WHERE state = 'running'
    UNION ALL SELECT NULL, NULL, NULL, to_jsonb(message) FROM message`,
};

type InsertedRow =
  { name: string; fence: number; attempts: number; message: null } | { message: OutboxMessage };

export interface ChunkStageClaimOptions {
  /** Length of the recording, in seconds. */
  duration: number;
  /** Chunks that this worker would run. */
  maxClaimed: number;
  leaseSeconds: number;
  /** Running chunks of one account; null for any number. */
  maxPerAccount: number | null;
}

/**
 * Adds the chunks of a job without chunk stages. Claims the first ones for this worker, unless others wait or the account has
 * as many running as it may; the others get queue messages. Call it in the transaction that completes preprocess, under the
 * lock of the job.
 * @param preprocess completed by the transaction; its job has no duration yet
 * @returns called after the commit: the claimed ones, in the given order
 */
export async function addChunkStagesAndClaimFirst(
  tx: EntityManager,
  preprocess: ClaimedStage,
  chunks: readonly NewStage[],
  { duration, maxClaimed, leaseSeconds, maxPerAccount }: ChunkStageClaimOptions,
): Promise<() => ClaimedStage[]> {
  const { jobId, accountId, job } = preprocess;
  let claimed: ClaimedStage[] = [];
  const values = [
    jobId,
    chunks.map(({ name }) => name),
    chunks.map(({ chunkIndex }) => chunkIndex),
    chunks.map(({ input }) => JSON.stringify(input)),
    maxClaimed,
    leaseSeconds,
    maxPerAccount,
  ];
  const onRows = (rows: InsertedRow[]) => {
    attachOutboxMessagesToTransaction(
      tx,
      rows.flatMap(({ message }) => message ?? []),
    );
    claimed = chunks.flatMap((chunk) => {
      const row = rows.find((each) => each.message === null && each.name === chunk.name);
      if (!row || row.message !== null) return [];
      const { fence, attempts } = row;
      return [{ jobId, accountId, ...chunk, fence, attempts, crashes: 0, job: { ...job, duration } }];
    });
  };
  await deferPreparedStatementToNextRoundTrip<InsertedRow>(tx, INSERT_FIRST_CHUNKS, values, { onRows });
  return () => claimed;
}

const RENEW_FIRST_CHUNKS = {
  name: 'renew-first-chunks',
  text: `
    UPDATE job_stage SET lease_until = clock_timestamp() + make_interval(secs => $2)
    WHERE job_id = $1 AND queue = 'chunk' AND state = 'running'
      AND lease_until < clock_timestamp() + make_interval(secs => $2::float8 * 2 / 3)`,
};

/** After the last lock of the transaction that has claimed them, for which it may have waited. */
export async function renewFirstChunkLeasesAfterLockWait(
  tx: EntityManager,
  jobId: string,
  leaseSeconds: number,
): Promise<void> {
  await deferPreparedStatementToNextRoundTrip(tx, RENEW_FIRST_CHUNKS, [jobId, leaseSeconds]);
}
