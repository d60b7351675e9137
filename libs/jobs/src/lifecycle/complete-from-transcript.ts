import type { EntityManager } from 'typeorm';
import type { JobHooks } from './job-hooks.js';
import { finishJob } from './finish-job.js';
import { completeJobNumbers } from './job.repository.js';
import { markStagesDone } from '../stages/job-stage.repository.js';

/** The account of the job has not enough credit for its recording: the transaction must be rolled back. */
export class InsufficientCreditsError extends Error {
  override readonly name = 'InsufficientCreditsError';
}

export interface StoredTranscript {
  /** Of the transcript in the format of the job; its document lies beside it. */
  resultKey: string;
  /** Seconds of the recording. */
  duration: number;
}

/**
 * Ends a job whose finished transcript lies in the store though its row does not know: the database was restored from an
 * older state. What it costs, its event and its notification come as at any end, once. A job that a processor is at work
 * on is left to it: it may be the one that has just stored the transcript.
 * @returns false when the job had ended, or is held under a lease; then nothing changes
 * @throws InsufficientCreditsError
 */
export async function completeFromTranscript(
  tx: EntityManager,
  hooks: JobHooks,
  jobId: string,
  { resultKey, duration }: StoredTranscript,
): Promise<boolean> {
  const job = await completeJobNumbers(tx, jobId, duration);
  if (!job) return false;
  if (!(await hooks.reserveCredits(tx, { id: jobId, ...job }))) throw new InsufficientCreditsError(jobId);
  await markStagesDone(tx, jobId);
  return finishJob(tx, hooks, jobId, { status: 'completed', resultKey });
}
