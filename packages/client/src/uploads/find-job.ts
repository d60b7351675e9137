import { ApiError } from '../errors.js';
import type { HttpTransport } from '../http/http-transport.js';
import type { Job } from '../types.js';

/** @returns undefined if the account of the key has no such job: it may be deleted, or belong to another account */
export async function findJob(
  transport: HttpTransport,
  jobId: string,
  signal: AbortSignal | undefined,
): Promise<Job | undefined> {
  const path = `api/v1/jobs/${encodeURIComponent(jobId)}`;
  try {
    return await transport.requestJson<Job>({ method: 'GET', path, expectedField: 'job_id', signal });
  } catch (error) {
    if (error instanceof ApiError && error.code === 'job_not_found') return undefined;
    throw error;
  }
}
