import type { Readable } from 'node:stream';

/** More bytes came than the address permits. The rest of the body is unread and the connection still open. */
export class BodyTooLargeError extends Error {
  override readonly name = 'BodyTooLargeError';
  constructor(readonly maxBytes: number) {
    super(`The body exceeds ${maxBytes} bytes.`);
  }
}

/** The sender fell silent, or sent next to nothing; its connection is gone. */
export class BodyStalledError extends Error {
  override readonly name = 'BodyStalledError';
}

/** What a sender has to keep up with. */
export interface MinTransferRate {
  /** Milliseconds without a byte. */
  idleMs: number;
  /** Of the time that it is waited for, judged every `idleMs` of that. */
  bytesPerSecond: number;
}

export interface BodyLimits extends MinTransferRate {
  maxBytes: number;
}

/**
 * The chunks of a request body, counted and timed. Only waiting for the sender counts as idle, never a slow disk.
 * @throws BodyTooLargeError, BodyStalledError, or the body's own error when the sender hangs up.
 */
export async function* limitBody(
  body: Readable,
  { maxBytes, ...minTransferRate }: BodyLimits,
): AsyncGenerator<Uint8Array> {
  // Leaving the loop early must not destroy the body: that would take the connection, and the answer with it.
  const chunks: AsyncIterator<Uint8Array> = body.iterator({ destroyOnReturn: false });
  const { idleMs } = minTransferRate;
  const isTooSlow = createRateMonitor(minTransferRate);
  let waiting = true;
  const timer = setTimeout(() => {
    if (waiting) abortStalledBody(body, `Nothing arrived for ${idleMs} ms.`);
    else timer.refresh();
  }, idleMs);
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
      // The next look finds the error, while there is still somebody to hear of it.
      if (tooSlow)
        abortStalledBody(body, `Less than ${minTransferRate.bytesPerSecond} bytes arrived a second.`);
      else yield value;
    }
  } finally {
    clearTimeout(timer);
    await chunks.return?.();
  }
}

/** Whether the sender brought too little, told every `idleMs` that were spent waiting for it. */
function createRateMonitor({
  idleMs,
  bytesPerSecond,
}: MinTransferRate): (waitedMs: number, bytes: number) => boolean {
  let waitedTotalMs = 0;
  let receivedBytes = 0;
  return (waitedMs, bytes) => {
    waitedTotalMs += waitedMs;
    receivedBytes += bytes;
    if (waitedTotalMs < idleMs) return false;
    const slow = receivedBytes * 1_000 < bytesPerSecond * waitedTotalMs;
    waitedTotalMs = receivedBytes = 0;
    return slow;
  };
}

function abortStalledBody(body: Readable, message: string): void {
  body.destroy(new BodyStalledError(message));
}
