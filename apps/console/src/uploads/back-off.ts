const FIRST_MS = 1_000;
const MAX_MS = 30_000;

/**
 * Milliseconds before another attempt: twice as long each time, at least what the service asked for, and spread so that
 * tabs do not return at the same moment.
 * @param attempt from 1
 */
export function computeBackOffMs(
  attempt: number,
  retryAfterSeconds: number | null,
  random = Math.random,
): number {
  const delay = Math.min(MAX_MS, FIRST_MS * 2 ** (attempt - 1)) * (0.5 + random() / 2);
  return Math.max(delay, (retryAfterSeconds ?? 0) * 1_000);
}

/** Ends early when the browser is online again. @throws the signal's reason when it aborts */
export function sleepUntilRetryOrOnline(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      globalThis.removeEventListener('online', end);
      signal.removeEventListener('abort', end);
      if (signal.aborted) reject(signal.reason as Error);
      else resolve();
    };
    const timer = setTimeout(end, ms);
    globalThis.addEventListener('online', end);
    signal.addEventListener('abort', end);
    if (signal.aborted) end();
  });
}
