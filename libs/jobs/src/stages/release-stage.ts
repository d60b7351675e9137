import { queryRows } from '@app/database';
import type { EntityManager } from 'typeorm';
import { enqueueOutbox } from '../outbox/outbox.js';
import type { ClaimedStage } from './claim-stage.js';

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
