/** After the first paint has most likely ended. */
const DELAY_WITHOUT_IDLE_CALLBACK_MS = 1_000;

/**
 * Safari has no `requestIdleCallback`: there the task runs a moment later.
 *
 * @returns a function that cancels the task
 */
export function runWhenIdle(task: () => void): () => void {
  if ('requestIdleCallback' in globalThis) {
    const request = requestIdleCallback(task);
    return () => cancelIdleCallback(request);
  }
  const timer = setTimeout(task, DELAY_WITHOUT_IDLE_CALLBACK_MS);
  return () => clearTimeout(timer);
}
