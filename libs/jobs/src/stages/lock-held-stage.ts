import { queryRows } from '@app/database';
import type { EntityManager } from 'typeorm';
import type { ClaimedStage } from './claim-stage.js';

/**
 * True when the stage is still ours; it then stays so until the transaction ends. The job's row is locked first,
 * as by everything that changes a job.
 */
export async function lockHeldStage(
  tx: EntityManager,
  { jobId, name, fence }: ClaimedStage,
): Promise<boolean> {
  await tx.query('SELECT 1 FROM job WHERE id = $1 FOR UPDATE', [jobId]);
  const held = await queryRows(
    tx,
    `SELECT 1 FROM job_stage WHERE job_id = $1 AND name = $2 AND fence = $3 AND state = 'running' FOR UPDATE`,
    [jobId, name, fence],
  );
  return held.length === 1;
}
