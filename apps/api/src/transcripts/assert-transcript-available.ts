import { ServiceError } from '@app/errors';
import type { JobForApiRoutes } from '@app/jobs';

export const TRANSCRIPT_ERROR_CODES = [
  'transcript_not_ready',
  'job_failed',
  'job_cancelled',
  'transcript_deleted',
  'transcript_too_large',
] as const;

/**
 * @throws ServiceError `transcript_not_ready` while it is processing, `job_cancelled`, `job_failed` with stage and reason,
 * `transcript_deleted` after its retention
 */
export function assertTranscriptAvailable<
  T extends Pick<JobForApiRoutes, 'status' | 'resultKey' | 'failedStage' | 'reason'>,
>(job: T): asserts job is T & { resultKey: string } {
  const { status, resultKey, failedStage, reason } = job;
  if (resultKey !== null) return;
  if (status === 'processing')
    throw new ServiceError('transcript_not_ready', { detail: 'The job is still processing.' });
  if (status === 'completed') throw new ServiceError('transcript_deleted');
  if (failedStage === 'cancelled')
    throw new ServiceError('job_cancelled', { detail: 'The job was cancelled; it has no transcript.' });
  throw new ServiceError('job_failed', { detail: `The job failed at ${failedStage}: ${reason}` });
}
