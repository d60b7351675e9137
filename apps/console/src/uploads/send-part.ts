/** Without progress for this long a part is given up: a connection can be lost without an error. */
const STALL_MS = 60_000;
/** Stores answer when a part is on their disks, and proxies may first send it on: longer than bytes need to move. */
const ANSWER_MS = 180_000;

/** The object store did not take a part. */
export class PartUploadError extends Error {
  override readonly name = 'PartUploadError';

  /** @param status 0 without a response @param storeCode of the XML of S3 */
  constructor(
    readonly status: number,
    readonly retryAfterSeconds: number | null = null,
    readonly storeCode: string | null = null,
  ) {
    super(`The object store answered with ${status}.`);
  }
}

export interface SendPartOptions {
  signal: AbortSignal;
  onProgress: (sentBytes: number) => void;
}

/**
 * PUTs a part. `fetch` reports no progress of a request's body.
 * @returns the ETag of the part
 * @throws PartUploadError, with status 0 also for a part without progress or response; or the reason of the signal
 */
export function sendPart(url: string, part: Blob, { signal, onProgress }: SendPartOptions): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const abort = () => request.abort();
    let stallTimer: ReturnType<typeof setTimeout> | undefined;
    const restartStallTimer = (ms: number) => {
      clearTimeout(stallTimer);
      stallTimer = setTimeout(abort, ms);
    };
    const fail = () => {
      const retryAfter = Number.parseInt(request.getResponseHeader('retry-after') ?? '', 10);
      const storeCode = /<Code>([^<]*)<\/Code>/.exec(request.responseText)?.[1] ?? null;
      reject(new PartUploadError(request.status, Number.isNaN(retryAfter) ? null : retryAfter, storeCode));
    };
    request.upload.addEventListener('progress', ({ loaded }) => {
      restartStallTimer(STALL_MS);
      onProgress(loaded);
    });
    // After the last progress: all bytes are on their way.
    request.upload.addEventListener('load', () => restartStallTimer(ANSWER_MS));
    request.addEventListener('load', () => {
      const etag = request.getResponseHeader('etag');
      if (request.status === 200 && etag !== null) resolve(etag);
      else fail();
    });
    request.addEventListener('error', fail);
    request.addEventListener('timeout', fail);
    request.addEventListener('abort', () =>
      reject((signal.reason as Error | undefined) ?? new PartUploadError(0)),
    );
    request.addEventListener('loadend', () => {
      clearTimeout(stallTimer);
      signal.removeEventListener('abort', abort);
    });
    request.open('PUT', url);
    signal.addEventListener('abort', abort);
    if (signal.aborted) return reject(signal.reason as Error);
    restartStallTimer(STALL_MS);
    // Without a type: the blob's own would be sent as Content-Type, which the URL may not be signed for.
    request.send(part.slice(0, part.size, ''));
  });
}
