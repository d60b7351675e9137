import { ApiError, JobFailedError, ZephyrError } from '../errors.js';
import type { HttpTransport } from '../http/http-transport.js';
import { isRetryable } from '../http/retry.js';
import type { EndedJob, Job, JobActionStatusResponse, ReportedPart } from '../types.js';

interface CompleteRequest {
  jobId: string;
  /** All parts of a multipart upload; absent for a single upload. */
  parts?: readonly ReportedPart[];
  signal: AbortSignal | undefined;
}

/** Queues the job of an upload, unless it is queued. @throws JobFailedError if the upload has ended without that */
export async function completeUpload(
  transport: HttpTransport,
  { jobId, parts, signal }: CompleteRequest,
): Promise<void> {
  const [path, list] = parts === undefined ? ['upload', {}] : ['upload/multipart', { parts }];
  const { status } = await transport.requestJson<JobActionStatusResponse>({
    method: 'POST',
    path: `api/v1/${path}/complete`,
    json: { job_id: jobId, ...list },
    signal,
  });
  // It was queued by an earlier process and has failed since, or its upload has expired.
  if (status === 'failed') await throwIfUploadFailed(transport, jobId, signal);
}

/**
 * As `completeUpload`, for a single upload that an earlier process may have sent.
 * @returns false if the file has not arrived
 */
export async function completeIfArrived(
  transport: HttpTransport,
  request: Omit<CompleteRequest, 'parts'>,
): Promise<boolean> {
  try {
    await completeUpload(transport, request);
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'upload_incomplete') return false;
    throw error;
  }
}

export async function throwIfUploadFailed(
  transport: HttpTransport,
  jobId: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  const path = `api/v1/jobs/${encodeURIComponent(jobId)}`;
  const job = await transport.requestJson<Job>({ method: 'GET', path, signal });
  if (job.failed_stage === 'upload') throw new JobFailedError(job as EndedJob);
}

/** The service may have queued the job before the response was lost. @param error of its completion */
export function addJobIdIfResponseWasLost(error: unknown, jobId: string): void {
  if (error instanceof ZephyrError && isRetryable(error)) error.job_id = jobId;
}
