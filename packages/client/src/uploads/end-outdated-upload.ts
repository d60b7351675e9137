import { ApiError, JobFailedError } from '../errors.js';
import type { HttpTransport } from '../http/http-transport.js';
import type { JobActionStatusResponse } from '../types.js';
import { findJob } from './find-job.js';

export const EARLIER_URLS_EXPIRED_REASON = 'The URLs of the earlier upload have expired.';
export const EARLIER_JOB_GONE_REASON = 'The job of the earlier upload does not exist any more.';
const REASONS = new Map<string, string>([
  ['idempotency_key_reused', 'The earlier upload had other options.'],
  ['invalid_parts', 'Parts of the earlier upload are missing.'],
  ['job_not_found', EARLIER_JOB_GONE_REASON],
  ['url_expired', EARLIER_URLS_EXPIRED_REASON],
]);

/** @returns why an upload that an earlier process began cannot be continued; undefined for an error of another kind */
export function toUploadRestartReason(error: unknown): string | undefined {
  if (error instanceof JobFailedError) return `The earlier upload has failed: ${error.job.reason ?? ''}`;
  if (!(error instanceof ApiError)) return undefined;
  // An object store has its own responses for URLs that have expired, and for an upload that it has deleted.
  const isStoreRefusal = error.code === 'unknown' && [403, 404].includes(error.status);
  return isStoreRefusal ? EARLIER_URLS_EXPIRED_REASON : REASONS.get(error.code);
}

/**
 * Ends an upload that cannot be continued, so that another one can take its place.
 * @param isMultipart whether it is known to be in parts
 * @returns false if it was completed before: its job is queued, or has been transcribed
 */
export async function endOutdatedUpload(
  transport: HttpTransport,
  jobId: string,
  { isMultipart, signal }: { isMultipart: boolean; signal: AbortSignal | undefined },
): Promise<boolean> {
  // A file that has arrived as a whole can be completed. Of parts, those that have arrived could be, so they are aborted.
  const path = isMultipart ? 'api/v1/upload/multipart/abort' : 'api/v1/upload/complete';
  try {
    const { status } = await transport.requestJson<JobActionStatusResponse>({
      method: 'POST',
      path,
      json: { job_id: jobId },
      signal,
    });
    if (status !== 'failed') return status === 'aborted';
    const job = await findJob(transport, jobId, signal);
    return job === undefined || job.failed_stage === 'upload';
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (['job_not_found', 'upload_incomplete'].includes(error.code)) return true;
    if (error.code !== 'upload_type_mismatch') throw error;
    return endOutdatedUpload(transport, jobId, { isMultipart: true, signal });
  }
}
