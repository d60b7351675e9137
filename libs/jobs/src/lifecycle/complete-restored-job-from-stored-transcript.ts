import type { EntityManager } from 'typeorm';
import type { JobHooks } from './job-hooks.js';
import { endJob } from './end-job.js';
import { setJobTotalsUnlessLeased } from './job.repository.js';
import { markAllStagesDone } from '../stages/job-stage.repository.js';

/** The transaction must be rolled back. */
export class InsufficientCreditsError extends Error {
  override readonly name = 'InsufficientCreditsError';
}

export interface StoredTranscript {
  /** In the format of the job; its document is in the same folder. */
  resultKey: string;
  /** Seconds. */
  duration: number;
}

/**
 * Completes a job whose transcript is stored although its row is older, after a database restore. Charge,
 * event and webhook are as usual. A leased job is left to its processor, which may have just stored the
 * transcript.
 * @returns false, without a change, if the job has ended or is leased
 * @throws InsufficientCreditsError
 */
export async function completeRestoredJobFromStoredTranscript(
  tx: EntityManager,
  hooks: JobHooks,
  jobId: string,
  { resultKey, duration }: StoredTranscript,
): Promise<boolean> {
  const job = await setJobTotalsUnlessLeased(tx, jobId, duration);
  if (!job) return false;
  if (!(await hooks.holdCredits(tx, { id: jobId, ...job }))) throw new InsufficientCreditsError(jobId);
  await markAllStagesDone(tx, jobId);
  return endJob(tx, hooks, jobId, { status: 'completed', resultKey });
}
