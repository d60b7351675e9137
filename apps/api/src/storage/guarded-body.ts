import type { Readable } from 'node:stream';

/** More bytes came than the address permits. The rest of the body is unread and the connection still open. */
export class BodyTooLarge extends Error {
  override readonly name = 'BodyTooLarge';
  constructor(readonly maxBytes: number) {
    super(`The body exceeds ${maxBytes} bytes.`);
  }
}

/** The sender fell silent; its connection is gone. */
export class BodyStalled extends Error {
  override readonly name = 'BodyStalled';
}

export interface BodyLimits {
  maxBytes: number;
  /** Milliseconds without a byte. */
  idleMs: number;
}

/**
 * The chunks of a request body, counted and timed. Only waiting for the sender counts as idle, never a slow disk.
 * @throws BodyTooLarge, BodyStalled, or the body's own error when the sender hangs up.
 */
export async function* guardedBody(
  body: Readable,
  { maxBytes, idleMs }: BodyLimits,
): AsyncGenerator<Uint8Array> {
  // Leaving the loop early must not destroy the body: that would take the connection, and the answer with it.
  const chunks: AsyncIterator<Uint8Array> = body.iterator({ destroyOnReturn: false });
  let waiting = true;
  const timer = setTimeout(() => {
    if (waiting) body.destroy(new BodyStalled(`Nothing arrived for ${idleMs} ms.`));
    else timer.refresh();
  }, idleMs);
  try {
    for (let size = 0; ;) {
      waiting = true;
      timer.refresh();
      const { value, done } = await chunks.next();
      waiting = false;
      if (done === true) return;
      size += value.byteLength;
      if (size > maxBytes) throw new BodyTooLarge(maxBytes);
      yield value;
    }
  } finally {
    clearTimeout(timer);
    await chunks.return?.();
  }
}
