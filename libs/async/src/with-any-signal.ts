/**
 * Runs work with a signal that is aborted with the first of the given ones, until the work has ended. `AbortSignal.any` would
 * leave an entry in each of them for as long as it exists, which in a signal of the whole process are more with every call.
 */
export async function withAnySignal<T>(
  signals: readonly AbortSignal[],
  work: (any: AbortSignal) => Promise<T>,
): Promise<T> {
  const any = new AbortController();
  const releases = signals.map((signal) => {
    const onAbort = () => any.abort(signal.reason);
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort);
    return () => signal.removeEventListener('abort', onAbort);
  });
  try {
    return await work(any.signal);
  } finally {
    for (const release of releases) release();
  }
}
