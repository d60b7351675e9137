import type { Readable } from 'node:stream';

/** The body exceeds its limit. The rest is unread and the connection is still open. */
export class BodyTooLargeError extends Error {
  override readonly name = 'BodyTooLargeError';
  constructor(readonly maxBytes: number) {
    super(`The body exceeds ${maxBytes} bytes.`);
  }
}

/** The client stalled or was below the minimum rate; its connection is closed. */
export class BodyStalledError extends Error {
  override readonly name = 'BodyStalledError';
}

/** The slowest upload that is accepted. */
export interface MinTransferRate {
  /** Maximum time without a byte. */
  idleTimeoutMs: number;
  /** Measured over the time spent waiting for the client, every `idleTimeoutMs` of it. */
  bytesPerSecond: number;
}

export interface BodyLimits extends MinTransferRate {
  maxBytes: number;
}

/**
 * Yields the chunks of a request body within its limits. Only time spent waiting for the client counts, never a slow disk.
 * @throws BodyTooLargeError, BodyStalledError, or the body's own error when the client disconnects.
 */
export async function* limitBody(
  body: Readable,
  { maxBytes, ...minTransferRate }: BodyLimits,
): AsyncGenerator<Uint8Array> {
  // Ending early must not destroy the body: that would close the connection before the response.
  const chunks: AsyncIterator<Uint8Array> = body.iterator({ destroyOnReturn: false });
  const { idleTimeoutMs } = minTransferRate;
  const isTooSlow = createRateMonitor(minTransferRate);
  let waiting = true;
  const timer = setTimeout(() => {
    if (waiting) abortStalledBody(body, `Nothing arrived for ${idleTimeoutMs} ms.`);
    else timer.refresh();
  }, idleTimeoutMs);
  try {
    for (let size = 0; ;) {
      waiting = true;
      timer.refresh();
      const requestedAt = performance.now();
      const { value, done } = await chunks.next();
      waiting = false;
      if (done === true) return;
      size += value.byteLength;
      if (size > maxBytes) throw new BodyTooLargeError(maxBytes);
      const tooSlow = isTooSlow(performance.now() - requestedAt, value.byteLength);
      // The next read throws the error, while the caller still iterates.
      if (tooSlow)
        abortStalledBody(body, `Less than ${minTransferRate.bytesPerSecond} bytes arrived a second.`);
      else yield value;
    }
  } finally {
    clearTimeout(timer);
    await chunks.return?.();
  }
}

/** Returns whether the rate was too low, evaluated after every `idleTimeoutMs` of waiting for the client. */
function createRateMonitor({
  idleTimeoutMs,
  bytesPerSecond,
}: MinTransferRate): (waitedMs: number, bytes: number) => boolean {
  let waitedTotalMs = 0;
  let receivedBytes = 0;
  return (waitedMs, bytes) => {
    waitedTotalMs += waitedMs;
    receivedBytes += bytes;
    if (waitedTotalMs < idleTimeoutMs) return false;
    const slow = receivedBytes * 1_000 < bytesPerSecond * waitedTotalMs;
    waitedTotalMs = receivedBytes = 0;
    return slow;
  };
}

function abortStalledBody(body: Readable, message: string): void {
  body.destroy(new BodyStalledError(message));
}
