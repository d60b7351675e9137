import { queryRows } from '@app/database';
import type { EntityManager } from 'typeorm';
import { enqueueOutbox, type OutboxMessage } from '../outbox/outbox.js';
import type { ClaimedStage } from './claim-stage.js';

/** No input of a chunk is like it: the cut that comes next begins the chunk anew, under the key where it then lies. */
const NO_INPUT = '{}';

/**
 * Has a job begin again with its audio, as what a stage was to work on is gone from the store. Chunks that are done stay
 * done; open ones wait, held by nobody, for the cut to come. Where the cut is under way or due already, this stage alone
 * waits for it. In the transaction in which the stage was found to be still ours, under the job's lock.
 * @param maxAttempts of preprocess, those so far included
 * @returns false, and nothing is changed, when it was started that often
 */
export async function restartFromPreprocess(
  tx: EntityManager,
  stage: ClaimedStage,
  maxAttempts: number,
): Promise<boolean> {
  const { jobId } = stage;
  const [preprocess] = await queryRows<{ state: string; attempts: number }>(
    tx,
    `SELECT state, attempts FROM job_stage WHERE job_id = $1 AND name = 'preprocess' FOR UPDATE`,
    [jobId],
  );
  if (preprocess === undefined) return false;
  if (preprocess.state !== 'done') {
    await dropOpenChunks(tx, jobId, stage.name);
    return true;
  }
  if (preprocess.attempts >= maxAttempts) return false;
  await dropOpenChunks(tx, jobId, null);
  await tx.query('UPDATE job SET steps_total = NULL WHERE id = $1', [jobId]);
  const due = await queryRows<OutboxMessage>(
    tx,
    `UPDATE job_stage SET state = 'pending', fence = fence + 1, due_at = now(), waiting_since = now(), result = NULL, finished_at = NULL,
       last_error = 'What it had made was gone from the object store.'
     WHERE job_id = $1 AND name = 'preprocess'
     RETURNING job_id AS "jobId", name, chunk_index AS "chunkIndex", fence`,
    [jobId],
  );
  await enqueueOutbox(tx, due);
  return true;
}

/** @param name of the one chunk, or null for all that are open; whoever has one loses it */
async function dropOpenChunks(tx: EntityManager, jobId: string, name: string | null): Promise<void> {
  await tx.query(
    `UPDATE job_stage SET state = 'dropped', fence = fence + 1, lease_until = NULL, input = $3
     WHERE job_id = $1 AND queue = 'chunk' AND state IN ('pending', 'running') AND ($2::text IS NULL OR name = $2)`,
    [jobId, name, NO_INPUT],
  );
}
