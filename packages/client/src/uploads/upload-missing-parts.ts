import type { HttpTransport } from '../http/http-transport.js';
import { rejectOnAbort } from '../http/reject-on-abort.js';
import type { MultipartResponse, ReportedPart } from '../types.js';
import { ZephyrError } from '../errors.js';
import type { AudioPart, AudioPartReader } from './audio-part-reader.js';
import type { Semaphore } from './semaphore.js';

export interface UploadMissingPartsOptions {
  concurrency: number;
  /** Of the parts of all files that are sent. */
  partSemaphore: Semaphore;
  signal?: AbortSignal | undefined;
  /** Parts that the service has already. */
  stored: readonly ReportedPart[];
  onStored: (part: ReportedPart, bytes: number) => Promise<void>;
}

/**
 * PUTs the missing parts of a multipart upload, some at a time. Each is retried by itself.
 * @throws the first error; the other parts are then abandoned
 */
export async function uploadMissingParts(
  transport: HttpTransport,
  source: AudioPartReader,
  upload: MultipartResponse,
  { concurrency, partSemaphore, signal, stored, onStored }: UploadMissingPartsOptions,
): Promise<void> {
  const urls = new Map(upload.parts.map((part) => [part.part_number, part.url]));
  const skip = new Set(stored.map((part) => part.part_number));
  const parts = source.readParts(upload.part_size, skip);
  const failure = new AbortController();
  const abort = () => failure.abort(signal?.reason);
  signal?.addEventListener('abort', abort, { once: true });
  if (signal?.aborted === true) abort();

  const sendPart = async ({ number, read }: AudioPart) => {
    const url = urls.get(number);
    if (url === undefined)
      throw new ZephyrError(
        `The stream is longer than the ${urls.size} parts of ${upload.part_size} bytes that were planned.`,
      );
    const body = await rejectOnAbort(read(), failure.signal);
    const headers = await transport.put(url, { body, signal: failure.signal });
    const etag = headers.get('etag');
    if (etag === null)
      throw new ZephyrError(
        'The response to a part has no ETag. In a browser, the object store must expose that header (CORS).',
      );
    await onStored({ part_number: number, etag }, body.size);
  };
  const work = async () => {
    try {
      for (;;) {
        failure.signal.throwIfAborted();
        const { done, value } = await rejectOnAbort(parts.next(), failure.signal);
        if (done === true) return;
        // A part of a file is read when it may be sent, so that not more are in memory. A stream that stalls takes no slot.
        await partSemaphore.run(() => sendPart(value), failure.signal);
      }
    } catch (error) {
      failure.abort(error);
      throw error;
    }
  };
  try {
    // All have ended when this one throws, so nothing is sent after that.
    await Promise.allSettled(Array.from({ length: concurrency }, work));
    if (failure.signal.aborted) throw failure.signal.reason;
  } finally {
    signal?.removeEventListener('abort', abort);
    // A stream that is stalled would not let it end.
    void parts.return().catch(() => undefined);
  }
}

/** @param size of the source; without it, also the last part counts as a whole one */
export function countStoredBytes(
  stored: readonly ReportedPart[],
  { size, partSize }: { size: number | null; partSize: number },
): number {
  const sizes = stored.map(({ part_number: number }) =>
    Math.min(partSize, (size ?? Infinity) - (number - 1) * partSize),
  );
  return sizes.reduce((sum, bytes) => sum + bytes, 0);
}
