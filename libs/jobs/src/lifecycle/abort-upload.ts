import type { EntityManager } from 'typeorm';
import type { JobHooks } from './job-hooks.js';
import { finishJob } from './finish-job.js';
import { lockPendingUpload } from './job.repository.js';
import { buildFailedOutcome } from './job-outcome.js';

const UPLOAD_ABORTED = buildFailedOutcome('upload', 'Upload aborted.');

/**
 * The job row decides between an abort and a concurrent completion.
 * @returns false, without a change, if the job was already queued or ended
 */
export async function abortUpload(tx: EntityManager, hooks: JobHooks, jobId: string): Promise<boolean> {
  return (await lockPendingUpload(tx, jobId)) && (await finishJob(tx, hooks, jobId, UPLOAD_ABORTED));
}

export function isUploadAborted(job: { failedStage: string | null; reason: string | null }): boolean {
  return job.failedStage === UPLOAD_ABORTED.stage && job.reason === UPLOAD_ABORTED.reason;
}
