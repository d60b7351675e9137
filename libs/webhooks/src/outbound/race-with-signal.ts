/** The promise's outcome, or the signal's reason if that comes first; a result that comes too late goes to `late`. */
export async function raceWithSignal<T>(
  promise: Promise<T>,
  signal: AbortSignal,
  onLateResult: (result: T) => void = () => undefined,
): Promise<T> {
  let abort = () => {};
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason as Error);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });
  try {
    return await Promise.race([promise, aborted]);
  } catch (error) {
    promise.then(onLateResult, () => undefined);
    throw error;
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
