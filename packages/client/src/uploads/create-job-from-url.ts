import { ApiError } from '../errors.js';
import type { HttpTransport } from '../http/http-transport.js';
import { pickJobOptions, type SubmitOptions } from '../options.js';
import type { UploadResponse } from '../types.js';
import { findJob } from './find-job.js';

/** Creates a job whose audio the service fetches, unless the state has it. @returns its id */
export async function createJobFromUrl(
  transport: HttpTransport,
  address: string,
  options: SubmitOptions,
): Promise<string> {
  const loaded = await options.state?.load();
  if (loaded?.fingerprint !== address)
    return (await createJob(transport, address, options, options.idempotencyKey ?? crypto.randomUUID()))
      .jobId;
  const exists = async (jobId: string) => (await findJob(transport, jobId, options.signal)) !== undefined;
  if (loaded.completed && loaded.jobId !== undefined) {
    if (await exists(loaded.jobId)) return loaded.jobId;
  } else {
    const { jobId, isReplayed } = await createJob(transport, address, options, loaded.idempotencyKey).catch(
      ignoreOtherOptions,
    );
    if (jobId !== undefined && (!isReplayed || (await exists(jobId)))) return jobId;
  }
  // The key of the caller would make the job that does not exist any more.
  return (await createJob(transport, address, options, crypto.randomUUID())).jobId;
}

async function createJob(
  transport: HttpTransport,
  address: string,
  options: SubmitOptions,
  idempotencyKey: string,
): Promise<{ jobId: string; isReplayed: boolean }> {
  const state = { version: 1 as const, idempotencyKey, fingerprint: address, parts: [] };
  await options.state?.save({ ...state, completed: false });
  const { body, headers } = await transport.requestJsonWithHeaders<UploadResponse>({
    method: 'POST',
    path: 'api/v1/upload',
    json: { ...pickJobOptions(options), audio_url: address },
    headers: { 'idempotency-key': idempotencyKey },
    expectedField: 'job_id',
    signal: options.signal,
  });
  const { job_id: jobId } = body;
  await options.state?.save({ ...state, jobId, completed: true });
  return { jobId, isReplayed: headers.has('idempotency-replayed') };
}

/** The earlier create, whose response was lost, had them. */
function ignoreOtherOptions(error: unknown): { jobId?: undefined; isReplayed?: undefined } {
  if (error instanceof ApiError && error.code === 'idempotency_key_reused') return {};
  throw error;
}
