import { queryPrepared } from '@app/database';
import type { EntityManager } from 'typeorm';
import type { NewStage } from './job-stage.repository.js';
import type { ClaimedStage } from './stage-claim.repository.js';

/**
 * The row is that of `INSERT_STAGES` after a claim, without a queue message. The fence stays 0, which no other claim has,
 * so the transcript that this worker may store has a key of its own. Chunks that wait are served first: they are older.
 * The mark `waiting` of accounts is not read, because it stays for a while after their last chunk was claimed.
 */
const INSERT_CLAIMED_CHUNK = {
  name: 'insert-claimed-chunk',
  text: `
    WITH next AS (
      INSERT INTO job_stage (job_id, account_id, name, queue, input, place, state, attempts, lease_until, started_at)
      SELECT id, account_id, $2, 'chunk', $3::jsonb, 1, 'running', 1, now() + make_interval(secs => $4), now()
      FROM job
      WHERE id = $1
        AND NOT EXISTS (SELECT FROM job_stage WHERE state = 'pending' AND queue = 'chunk' AND due_at <= now())
        AND ($5::int IS NULL OR $5 > (
          SELECT count(*) FROM job_stage busy
          WHERE busy.state = 'running' AND busy.queue = 'chunk' AND busy.account_id = job.account_id))
      RETURNING account_id, fence, attempts
    ), taken AS (
      INSERT INTO turn (queue, account_id, last_turn, waiting)
      SELECT 'chunk', account_id, nextval('stage_turn'), false FROM next
      ON CONFLICT (queue, account_id) DO UPDATE SET last_turn = excluded.last_turn, taken_at = clock_timestamp()
    )
    SELECT fence, attempts FROM next`,
};

/**
 * Adds the only chunk of a job as a stage that this worker has claimed, unless another chunk waits or the account has
 * as many running as it may. Call it in the transaction that completes preprocess, under the lock of the job, for a job
 * without chunk stages.
 * @param preprocess completed by the transaction; its job has no duration yet
 * @param seconds of the recording
 * @param maxPerAccount running chunks of one account; null for any number
 * @returns null, without a change, if the chunk must wait for its turn
 */
export async function tryInsertOnlyChunkAsClaimed(
  tx: EntityManager,
  preprocess: ClaimedStage,
  { name, chunkIndex, input }: NewStage,
  {
    seconds,
    leaseSeconds,
    maxPerAccount,
  }: { seconds: number; leaseSeconds: number; maxPerAccount: number | null },
): Promise<ClaimedStage | null> {
  const { jobId, accountId, job } = preprocess;
  const [claim] = await queryPrepared<{ fence: number; attempts: number }>(tx, INSERT_CLAIMED_CHUNK, [
    jobId,
    name,
    JSON.stringify(input),
    leaseSeconds,
    maxPerAccount,
  ]);
  if (!claim) return null;
  return { jobId, accountId, name, chunkIndex, input, ...claim, job: { ...job, duration: seconds } };
}
