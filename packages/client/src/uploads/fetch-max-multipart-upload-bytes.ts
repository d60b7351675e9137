import type { HttpTransport } from '../http/http-transport.js';

/** The size of the largest multipart upload of the account. */
export async function fetchMaxMultipartUploadBytes(
  transport: HttpTransport,
  signal: AbortSignal | undefined,
): Promise<number> {
  const { max_bytes: maxBytes } = await transport.requestJson<{ max_bytes: { multipart: number } }>({
    method: 'GET',
    path: 'api/v1/account',
    signal,
  });
  return maxBytes.multipart;
}
