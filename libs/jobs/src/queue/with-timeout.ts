import { setTimeout as pause } from 'node:timers/promises';
import { QueueUnavailableError } from './queue-message.js';

/**
 * Waits for `work` at most `timeoutMs`. Whatever goes wrong, lateness included, is a `QueueUnavailableError` with the
 * reason as its cause; a result that comes later is dropped.
 */
export async function withTimeout<T>(
  timeoutMs: number,
  operation: string,
  work: () => Promise<T>,
): Promise<T> {
  try {
    const running = work();
    if (await settlesWithin(running, timeoutMs)) return await running;
  } catch (error) {
    if (error instanceof QueueUnavailableError) throw error;
    throw new QueueUnavailableError(`${operation}: ${describeError(error)}`, { cause: error });
  }
  throw new QueueUnavailableError(`${operation}: no answer in ${timeoutMs} ms`);
}

/** True when `work` has settled, well or not, within `timeoutMs`. */
export async function settlesWithin(work: Promise<unknown>, timeoutMs: number): Promise<boolean> {
  const settled = new AbortController();
  const end = () => settled.abort();
  work.then(end, end);
  return pause(timeoutMs, false, { signal: settled.signal }).catch(() => true);
}

/** One line about an error; connection errors that only carry a code or inner errors are not left blank. */
export function describeError(error: unknown): string {
  if (error instanceof AggregateError && !error.message) return error.errors.map(describeError).join('; ');
  if (!(error instanceof Error)) return String(error);
  return error.message || ('code' in error ? String(error.code) : error.name);
}
