import type { HttpTransport } from '../http/http-transport.js';
import type { JobActionStatusResponse } from '../types.js';

const ABORT_TIMEOUT_MS = 5_000;

/**
 * Ends a multipart upload, also after the signal of its call has aborted, so it must not take long. The service ends what is left by
 * itself, later.
 * @returns `aborted`, or the status of a job that was queued or has ended before; undefined without a response
 */
export async function abortUpload(transport: HttpTransport, jobId: string): Promise<string | undefined> {
  const abortion = transport.requestJson<JobActionStatusResponse>({
    method: 'POST',
    path: 'api/v1/upload/multipart/abort',
    json: { job_id: jobId },
    maxRetries: 0,
    timeoutMs: ABORT_TIMEOUT_MS,
  });
  return (await abortion.catch(() => undefined))?.status;
}
