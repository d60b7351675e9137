import type { Chance } from '../../../scripts/material/chance.mjs';
import type { ObservationRecorder } from '../../support/invariants/observation-recorder.js';
import { type Bytes, silentWav, synthesizeSpeech } from './audio.js';
import { type ApiResponse, type Client, type CreatedJob, expectStatus } from './client.js';
import { until } from './until.js';

const ANSWERED_MS = 120_000;
/** A file of these orders is sent in a moment, unless its connection died without a word. */
const UPLOADED_MS = 10_000;
/** What is being repaired, or asked twice at once: the caller tries again. Anything else was an answer. */
const TRY_AGAIN = [409, 503];

/** What a caller wants done, under a name of its own that makes it safe to ask again. */
export interface JobRequest {
  name: string;
  bytes: Bytes;
  options: Record<string, unknown>;
}

/** Mostly short silence, which no engine has to hear; one in fifty says a word. A fifth want to be called back. */
export async function generateJobRequests(
  count: number,
  chance: Chance,
  callbackUrl: string,
): Promise<JobRequest[]> {
  const word = await synthesizeSpeech('Good morning.');
  return Array.from({ length: count }, (_, at) => ({
    name: `order-${at}`,
    bytes: at % 50 === 0 ? word : silentWav(chance.between(0.1, 0.6)),
    options: {
      output_type: chance.pick(['json', 'txt', 'srt', 'vtt']),
      ...(at % 5 === 0 && { callback_url: callbackUrl }),
    },
  }));
}

/** Creates, uploads and completes; each step is repeated until it is answered. */
export async function submitJobRequest(
  client: Client,
  order: JobRequest,
  observations: ObservationRecorder,
): Promise<CreatedJob> {
  const { name, bytes, options } = order;
  const created = await retryUntilAnswered<CreatedJob>(`${name} is created`, () =>
    client.send('POST', '/api/v1/upload', {
      body: JSON.stringify({ file_size: bytes.length, ...options }),
      headers: { 'Content-Type': 'application/json', 'Idempotency-Key': name },
    }),
  );
  observations.recordCreated(name, created.job_id);
  const { upload_url, content_type } = created;
  await retryUntilAnswered(`${name} is uploaded`, () =>
    client.put(upload_url, bytes, content_type, AbortSignal.timeout(UPLOADED_MS)),
  );
  await retryUntilAnswered(`${name} is completed`, () => client.complete(created.job_id));
  return created;
}

/** Hands the orders out to so many callers at once. */
export async function submitConcurrently<T>(
  orders: readonly T[],
  atOnce: number,
  place: (order: T) => Promise<unknown>,
): Promise<void> {
  const left = orders.values();
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (const order of left) await place(order);
    }),
  );
}

/**
 * Asks until it is answered. @returns the parsed body
 * @throws Error for an answer that is neither 200 nor a request to try again
 */
export async function retryUntilAnswered<T>(what: string, ask: () => Promise<ApiResponse>): Promise<T> {
  const answer = await until(
    what,
    async () => {
      const heard = await ask();
      return !TRY_AGAIN.includes(heard.status) && heard;
    },
    ANSWERED_MS,
  );
  return expectStatus<T>(200, answer);
}
