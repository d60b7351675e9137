import { ApiError } from '../errors.js';
import type { HttpTransport } from '../http/http-transport.js';

/** Whether the account of the key has the job: it may be deleted, or belong to another account. */
export async function jobExists(
  transport: HttpTransport,
  jobId: string,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const path = `api/v1/jobs/${encodeURIComponent(jobId)}`;
  try {
    await transport.requestJson({ method: 'GET', path, expectedField: 'job_id', signal });
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'job_not_found') return false;
    throw error;
  }
}
