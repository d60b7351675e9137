import { QueueUnavailableError } from './job-queue.js';

/**
 * Gives `work` at most `ms` milliseconds. Whatever goes wrong, too late included, is `QueueUnavailableError`
 * with the reason as its cause; an answer that comes after the bound is dropped.
 */
export async function withTimeout<T>(
  timeoutMs: number,
  operation: string,
  work: () => Promise<T>,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new QueueUnavailableError(`${operation}: no answer in ${timeoutMs} ms`)),
      timeoutMs,
    );
  });
  try {
    return await Promise.race([work(), timeout]);
  } catch (error) {
    if (error instanceof QueueUnavailableError) throw error;
    throw new QueueUnavailableError(`${operation}: ${describeError(error)}`, { cause: error });
  } finally {
    clearTimeout(timer);
  }
}

/** True when `work` has settled, well or not, within `ms` milliseconds. */
export async function settlesWithin(work: Promise<unknown>, timeoutMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), timeoutMs);
  });
  const ended = work.then(
    () => true,
    () => true,
  );
  try {
    return await Promise.race([ended, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/** One line about an error; connection errors that only carry a code or inner errors are not left blank. */
export function describeError(error: unknown): string {
  if (error instanceof AggregateError && !error.message) return error.errors.map(describeError).join('; ');
  if (!(error instanceof Error)) return String(error);
  return error.message || ('code' in error ? String(error.code) : error.name);
}
