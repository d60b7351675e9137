import type { IdleTimeoutController } from './idle-timeout-controller.js';

/** The body of a response, which may take longer than the time limit as long as its bytes arrive. */
export async function readBytes(
  { body }: Response,
  limit: IdleTimeoutController,
): Promise<Uint8Array<ArrayBuffer>> {
  if (body === null) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  // Not every browser can iterate a `ReadableStream`.
  const reader = body.getReader();
  for (;;) {
    limit.restart();
    const { done, value } = await reader.read();
    if (done) return join(chunks);
    chunks.push(value);
  }
}

function join(chunks: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(chunks.reduce((sum, { byteLength }) => sum + byteLength, 0));
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return bytes;
}
