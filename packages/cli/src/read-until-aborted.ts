/** The chunks of a stream, which may stall. @throws the reason of the signal as soon as it aborts */
export async function* readUntilAborted<T>(
  stream: AsyncIterable<T>,
  signal: AbortSignal,
): AsyncGenerator<T, void, undefined> {
  const chunks = stream[Symbol.asyncIterator]();
  for (;;) {
    const { done, value } = await rejectOnAbort(chunks.next(), signal);
    if (done === true) return;
    yield value;
  }
}

/** `Promise.race` with one promise for all chunks would keep every chunk in memory. */
function rejectOnAbort<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason as Error);
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
