import { rowsOf } from '@app/database';
import type { EntityManager } from 'typeorm';
import type { JobEffects } from './effects.js';
import { finishJob } from './finish-job.js';
import { failed } from './outcome.js';

const ABORTED = failed('upload', 'Upload aborted.');

/**
 * Ends a job whose upload is still pending. Against a completion that comes at the same time the row decides.
 * @returns false when the job was queued or had ended before; then nothing changes.
 */
export async function abortUpload(tx: EntityManager, effects: JobEffects, jobId: string): Promise<boolean> {
  const pending = await rowsOf(
    tx,
    `SELECT id FROM job WHERE id = $1 AND queued_at IS NULL AND status = 'processing' FOR UPDATE`,
    [jobId],
  );
  return pending.length === 1 && (await finishJob(tx, effects, jobId, ABORTED));
}

/** Whether the job ended by `abortUpload`. */
export function wasAborted(job: { failedStage: string | null; reason: string | null }): boolean {
  return job.failedStage === ABORTED.stage && job.reason === ABORTED.reason;
}
