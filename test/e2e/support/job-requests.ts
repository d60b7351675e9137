import type { SeededRandom } from '../../../scripts/material/seeded-random.mjs';
import type { ObservationRecorder } from '../../support/invariants/observation-recorder.js';
import { type Bytes, silentWav, synthesizeSpeech } from './audio.js';
import { type ApiResponse, type Client, type CreatedJob, expectStatus } from './client.js';
import { until } from './until.js';

const FINAL_RESPONSE_TIMEOUT_MS = 120_000;
/** The upload of such a file takes much less, unless its connection was lost without a notification. */
const UPLOAD_TIMEOUT_MS = 10_000;
/** Retried: a dependency is unavailable, or the idempotency key is in use. Any other status is final. */
const RETRY_STATUSES = [409, 503];
/** With those of a proxy whose API ends in the middle of a request. */
export const RETRY_STATUSES_BEHIND_PROXY = [...RETRY_STATUSES, 502, 504];

/** A job that a caller requests, under a unique name that makes a retry safe. */
export interface JobRequest {
  name: string;
  bytes: Bytes;
  options: Record<string, unknown>;
}

/** Mostly short silence, which needs no engine; one in fifty has speech. A fifth have a webhook. */
export async function generateJobRequests(
  count: number,
  random: SeededRandom,
  callbackUrl: string,
): Promise<JobRequest[]> {
  const word = await synthesizeSpeech('Good morning.');
  return Array.from({ length: count }, (_, index) => ({
    name: `request-${index}`,
    bytes: index % 50 === 0 ? word : silentWav(random.between(0.1, 0.6)),
    options: {
      output_type: random.pick(['json', 'txt', 'srt', 'vtt']),
      ...(index % 5 === 0 && { callback_url: callbackUrl }),
    },
  }));
}

/**
 * Creates, uploads and completes; retries each step until it gets a final response.
 * @param retryStatuses also those of a proxy, if there is one whose APIs may disappear
 */
export async function submitJobRequest(
  client: Client,
  jobRequest: JobRequest,
  observations: ObservationRecorder,
  retryStatuses: readonly number[] = RETRY_STATUSES,
): Promise<CreatedJob> {
  const { name, bytes, options } = jobRequest;
  const retry = <T>(description: string, sendRequest: () => Promise<ApiResponse>) =>
    retryUntilFinalResponse<T>(description, sendRequest, retryStatuses);
  const created = await retry<CreatedJob>(`${name} is created`, () =>
    client.send('POST', '/api/v1/upload', {
      body: JSON.stringify({ file_size: bytes.length, ...options }),
      headers: { 'Content-Type': 'application/json', 'Idempotency-Key': name },
    }),
  );
  observations.recordCreated(name, created.job_id);
  const { upload_url, content_type } = created;
  await retry(`${name} is uploaded`, () =>
    client.put(upload_url, bytes, content_type, AbortSignal.timeout(UPLOAD_TIMEOUT_MS)),
  );
  await retry(`${name} is completed`, () => client.complete(created.job_id));
  return created;
}

/** Processes the requests with this many concurrent callers. */
export async function submitConcurrently<T>(
  requests: readonly T[],
  concurrency: number,
  submit: (jobRequest: T) => Promise<unknown>,
): Promise<void> {
  const remaining = requests.values();
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      for (const jobRequest of remaining) await submit(jobRequest);
    }),
  );
}

/**
 * Retries until it gets a final response. @returns the parsed body
 * @throws Error for a response that is neither 200 nor a request to retry
 */
export async function retryUntilFinalResponse<T>(
  description: string,
  sendRequest: () => Promise<ApiResponse>,
  retryStatuses: readonly number[] = RETRY_STATUSES,
): Promise<T> {
  const finalResponse = await until(
    description,
    async () => {
      const response = await sendRequest();
      return !retryStatuses.includes(response.status) && response;
    },
    FINAL_RESPONSE_TIMEOUT_MS,
  );
  return expectStatus<T>(200, finalResponse);
}
