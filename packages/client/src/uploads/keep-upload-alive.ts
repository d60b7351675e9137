import type { HttpTransport } from '../http/http-transport.js';

const PING_MS = 10_000;

/** Keeps a slow upload alive beyond the expiry of its URL. @returns what stops it */
export function startUploadKeepAlive(transport: HttpTransport, jobId: string): () => void {
  const stop = new AbortController();
  const ping = () =>
    void transport
      .requestJson({
        method: 'POST',
        path: 'api/v1/upload/progress',
        json: { job_id: jobId },
        signal: stop.signal,
      })
      // The upload itself tells when it is too late.
      .catch(() => undefined);
  const timer = setInterval(ping, PING_MS);
  return () => {
    clearInterval(timer);
    stop.abort();
  };
}
