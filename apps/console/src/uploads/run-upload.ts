import { ApiError, isNotFoundError, NoResponseError } from '../api/client.ts';
import { createRandomHexId } from '../lib/create-id.ts';
import { computeBackOffMs } from './back-off.ts';
import { FileReadTimeoutError } from './digest.ts';
import { PartUploadError, type SendPartOptions } from './send-part.ts';
import type { UploadedPart, PresignedMultipartUpload, UploadRecord } from './upload-record.ts';

const PING_MS = 10_000;
const MAX_ATTEMPTS = 8;
/** Expiry of a plan whose job the user replaces, whatever has become of it. */
export const REPLACED_PLAN_EXPIRES_AT = 0;
/** S3 waited too long for the bytes of a part; its status is 400. */
const STORE_REQUEST_TIMEOUT = 'RequestTimeout';
/** Statuses of responses for a part whose URL has expired, or whose upload has ended. */
const CLOSED_STATUSES = [403, 404];

export interface UploadDependencies {
  createJob(record: UploadRecord): Promise<PresignedMultipartUpload>;
  pingUpload(jobId: string): Promise<unknown>;
  completeUpload(jobId: string, parts: readonly UploadedPart[]): Promise<unknown>;
  findJob(jobId: string): Promise<{ failed_stage: string | null }>;
  /** Ends the job unless it has its audio. @returns its state then */
  abortUpload(jobId: string): Promise<{ status: string }>;
  sendPart(url: string, part: Blob, options: SendPartOptions): Promise<string>;
  digest(part: Blob, signal: AbortSignal): Promise<string | null>;
  /** Never rejects, and settles within a bound also if the storage of the browser does not respond. */
  save(record: UploadRecord): Promise<void>;
  wait(ms: number, signal: AbortSignal): Promise<void>;
  /** Whether the browser knows that it has no connection. */
  isOffline(): boolean;
  onProgress(sentBytes: number): void;
  /** An attempt failed; null when the next one begins. */
  onRetry(retry: { error: unknown; delayMs: number } | null): void;
}

/**
 * Sends what is missing of a file, part by part, and queues its job. Each step is saved, so that a later call goes on where
 * this one ended; the next one does not wait for the storage. If the URLs of an earlier call have expired, or its job has
 * ended without the audio, the whole file is sent to another job, unless somebody has cancelled or deleted that job.
 *
 * @throws an error that another attempt does not end, or the reason of the signal
 */
export async function runUpload(
  record: UploadRecord,
  file: Blob,
  ports: UploadDependencies,
  signal: AbortSignal,
): Promise<UploadRecord> {
  const { plan } = record;
  if (!plan) return sendRest(record, file, ports, signal);
  if (Date.now() < plan.expiresAt)
    try {
      return await sendRest(record, file, ports, signal);
    } catch (error) {
      if (signal.aborted || !isUploadClosedError(error)) throw error;
    }
  if (plan.expiresAt !== REPLACED_PLAN_EXPIRES_AT && (await isCancelledOrDeleted(plan, ports, signal)))
    throw new PartUploadError(403);
  // The response to its completion may have been lost.
  if (await hasAudio(plan, ports, signal)) return saveSent(record, ports);
  ports.onProgress(0);
  return sendRest(withoutJob(record), file, ports, signal);
}

async function isCancelledOrDeleted(
  plan: PresignedMultipartUpload,
  ports: UploadDependencies,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    return (await retry(() => ports.findJob(plan.jobId), ports, signal)).failed_stage === 'cancelled';
  } catch (error) {
    if (isNotFoundError(error)) return true;
    throw error;
  }
}

/** The same upload as another job. */
function withoutJob(record: UploadRecord): UploadRecord {
  return { ...record, idempotencyKey: createRandomHexId(), plan: null, parts: [] };
}

async function hasAudio(
  plan: PresignedMultipartUpload,
  ports: UploadDependencies,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    const { status } = await retry(() => ports.abortUpload(plan.jobId), ports, signal);
    return status !== 'aborted' && status !== 'failed';
  } catch (error) {
    if (isNotFoundError(error)) return false;
    throw error;
  }
}

function isUploadClosedError(error: unknown): boolean {
  return (
    isNotFoundError(error) || (error instanceof PartUploadError && CLOSED_STATUSES.includes(error.status))
  );
}

async function sendRest(
  record: UploadRecord,
  file: Blob,
  ports: UploadDependencies,
  signal: AbortSignal,
): Promise<UploadRecord> {
  const plan = record.plan ?? (await retry(() => ports.createJob(record), ports, signal));
  const parts = [...record.parts];
  const describe = (): UploadRecord => ({ ...record, plan, parts: [...parts] });
  void ports.save(describe());
  const timer = setInterval(() => {
    // The job has a day: a lost ping is no reason to stop.
    ports.pingUpload(plan.jobId).catch(() => undefined);
  }, PING_MS);
  try {
    for (let index = parts.length; index < plan.urls.length; index += 1) {
      parts.push(await sendOnePart(plan, file, index, ports, signal));
      void ports.save(describe());
      ports.onProgress(Math.min(file.size, (index + 1) * plan.partSize));
    }
    await retry(() => ports.completeUpload(plan.jobId, parts), ports, signal);
  } finally {
    clearInterval(timer);
  }
  return saveSent(describe(), ports);
}

async function saveSent(record: UploadRecord, ports: UploadDependencies): Promise<UploadRecord> {
  const sent: UploadRecord = { ...record, state: 'sent', problem: null };
  // Another tab that waits for the upload's lock reads it.
  await ports.save(sent);
  return sent;
}

async function sendOnePart(
  { urls, partSize }: PresignedMultipartUpload,
  file: Blob,
  index: number,
  ports: UploadDependencies,
  signal: AbortSignal,
): Promise<UploadedPart> {
  const start = index * partSize;
  const part = file.slice(start, start + partSize);
  const digest = await retry(() => ports.digest(part, signal), ports, signal);
  const onProgress = (sentBytes: number) => ports.onProgress(start + sentBytes);
  const etag = await retry(
    () => ports.sendPart(urls[index] ?? '', part, { signal, onProgress }),
    ports,
    signal,
  );
  return { etag, digest };
}

/**
 * Repeats what fails with a temporary error, without an end while the browser has no connection.
 *
 * @throws another error, the last one, or the reason of the signal
 */
export async function retry<T>(
  action: () => Promise<T>,
  ports: Pick<UploadDependencies, 'wait' | 'isOffline' | 'onRetry'>,
  signal: AbortSignal,
): Promise<T> {
  let attempts = 0;
  for (let failures = 1; ; failures += 1) {
    signal.throwIfAborted();
    try {
      const result = await action();
      ports.onRetry(null);
      return result;
    } catch (error) {
      // Tried nevertheless: the browser may be wrong.
      if (!(ports.isOffline() && isConnectionError(error))) attempts += 1;
      if (signal.aborted || attempts === MAX_ATTEMPTS || !isTemporaryUploadError(error)) throw error;
      const delayMs = computeBackOffMs(failures, retryAfterOf(error));
      ports.onRetry({ error, delayMs });
      await ports.wait(delayMs, signal);
    }
  }
}

/**
 * A lost connection, a limit, a service that is busy, or still processes the same request, or a file whose drive does not
 * respond.
 */
export function isTemporaryUploadError(error: unknown): boolean {
  if (error instanceof NoResponseError || error instanceof FileReadTimeoutError) return true;
  if (!(error instanceof ApiError || error instanceof PartUploadError)) return false;
  if (
    error instanceof ApiError
      ? error.code === 'idempotency_key_in_use'
      : error.storeCode === STORE_REQUEST_TIMEOUT
  )
    return true;
  return error.status === 0 || error.status === 408 || error.status === 429 || error.status >= 500;
}

function isConnectionError(error: unknown): boolean {
  return error instanceof NoResponseError || (error instanceof PartUploadError && error.status === 0);
}

function retryAfterOf(error: unknown): number | null {
  return error instanceof ApiError || error instanceof PartUploadError ? error.retryAfterSeconds : null;
}
