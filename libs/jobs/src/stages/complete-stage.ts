import { queryRows } from '@app/database';
import type { EntityManager } from 'typeorm';
import { appendEvent } from '../events/append-event.js';
import type { ClaimedStage } from './claim-stage.js';
import { LeaseLostError } from './lease-lost-error.js';

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

/**
 * Counts one step and announces it; one that was announced before the job started over is not counted again. Locks the job row first, so that steps of one job are counted one after the other;
 * whoever holds that lock sees every step that was counted before.
 * @returns false, and nothing is counted yet, while the file is still being cut: how many steps there are is not known
 */
export async function recordProgress(tx: EntityManager, jobId: string, step: string): Promise<boolean> {
  const [job] = await queryRows<{ seq: number; completed: number; total: number | null; isNew: boolean }>(
    tx,
    `WITH step AS (SELECT NOT EXISTS (
       SELECT FROM job_event WHERE job_id = $1 AND type = 'progress' AND data->>'step' = $2) AS is_new)
     UPDATE job SET steps_done = steps_done + (steps_total IS NOT NULL AND is_new)::int,
       event_seq = event_seq + (steps_total IS NOT NULL AND is_new)::int
     FROM step WHERE id = $1 AND status = 'processing'
     RETURNING event_seq AS seq, steps_done AS completed, steps_total AS total, is_new AS "isNew"`,
    [jobId, step],
  );
  if (!job) throw new LeaseLostError(`job ${jobId} has ended`);
  const { seq, completed, total, isNew } = job;
  if (total === null) return false;
  if (isNew) await appendEvent(tx, jobId, seq, 'progress', { completed, total, step });
  return true;
}
