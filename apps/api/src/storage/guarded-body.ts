import type { Readable } from 'node:stream';

/** More bytes came than the address permits. The rest of the body is unread and the connection still open. */
export class BodyTooLarge extends Error {
  override readonly name = 'BodyTooLarge';
  constructor(readonly maxBytes: number) {
    super(`The body exceeds ${maxBytes} bytes.`);
  }
}

/** The sender fell silent, or sent next to nothing; its connection is gone. */
export class BodyStalled extends Error {
  override readonly name = 'BodyStalled';
}

/** What a sender has to keep up with. */
export interface BodyPace {
  /** Milliseconds without a byte. */
  idleMs: number;
  /** Of the time that it is waited for, judged every `idleMs` of that. */
  bytesPerSecond: number;
}

export interface BodyLimits extends BodyPace {
  maxBytes: number;
}

/**
 * The chunks of a request body, counted and timed. Only waiting for the sender counts as idle, never a slow disk.
 * @throws BodyTooLarge, BodyStalled, or the body's own error when the sender hangs up.
 */
export async function* guardedBody(
  body: Readable,
  { maxBytes, ...pace }: BodyLimits,
): AsyncGenerator<Uint8Array> {
  // Leaving the loop early must not destroy the body: that would take the connection, and the answer with it.
  const chunks: AsyncIterator<Uint8Array> = body.iterator({ destroyOnReturn: false });
  const { idleMs } = pace;
  const slow = slowness(pace);
  let waiting = true;
  const timer = setTimeout(() => {
    if (waiting) stall(body, `Nothing arrived for ${idleMs} ms.`);
    else timer.refresh();
  }, idleMs);
  try {
    for (let size = 0; ;) {
      waiting = true;
      timer.refresh();
      const asked = performance.now();
      const { value, done } = await chunks.next();
      waiting = false;
      if (done === true) return;
      size += value.byteLength;
      if (size > maxBytes) throw new BodyTooLarge(maxBytes);
      const tooSlow = slow(performance.now() - asked, value.byteLength);
      // The next look finds the error, while there is still somebody to hear of it.
      if (tooSlow) stall(body, `Less than ${pace.bytesPerSecond} bytes arrived a second.`);
      else yield value;
    }
  } finally {
    clearTimeout(timer);
    await chunks.return?.();
  }
}

/** Whether the sender brought too little, told every `idleMs` that were spent waiting for it. */
function slowness({ idleMs, bytesPerSecond }: BodyPace): (waitedMs: number, bytes: number) => boolean {
  let waited = 0;
  let came = 0;
  return (waitedMs, bytes) => {
    waited += waitedMs;
    came += bytes;
    if (waited < idleMs) return false;
    const slow = came * 1_000 < bytesPerSecond * waited;
    waited = came = 0;
    return slow;
  };
}

function stall(body: Readable, message: string): void {
  body.destroy(new BodyStalled(message));
}
