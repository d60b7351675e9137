import type { EntityManager } from 'typeorm';
import type { JobHooks } from './job-hooks.js';
import { finishJob } from './finish-job.js';
import { completeJobNumbers } from './job.repository.js';
import { markStagesDone } from '../stages/job-stage.repository.js';

/** The account cannot pay for the recording: roll the transaction back. */
export class InsufficientCreditsError extends Error {
  override readonly name = 'InsufficientCreditsError';
}

export interface StoredTranscript {
  /** Key of the transcript in the format of the job; its document is next to it. */
  resultKey: string;
  /** Duration of the recording in seconds. */
  duration: number;
}

/**
 * Completes a job whose finished transcript is in the store although its row does not say so, because an older
 * database was restored. Charge, event and webhook are those of any completion, once. A job under a lease is left
 * to its processor, which may have just stored the transcript.
 * @returns false, without a change, if the job has ended or is leased
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
