import { setTimeout as pause } from 'node:timers/promises';

const POLL_INTERVAL_MS = 50;

/**
 * Polls until `poll` returns a value, and returns it. An exception of `poll` counts as no value.
 * Polls once more after the deadline, however long this process was suspended.
 * @throws Error after `withinMs`; its cause is the last exception of `poll`.
 */
export async function until<T>(
  description: string,
  poll: () => T | undefined | false | Promise<T | undefined | false>,
  withinMs = 30_000,
): Promise<T> {
  const deadline = Date.now() + withinMs;
  let cause: unknown;
  for (let isOver = false; !isOver;) {
    isOver = Date.now() >= deadline;
    try {
      const value = await poll();
      if (value !== undefined && value !== false) return value;
      cause = undefined;
    } catch (error) {
      cause = error;
    }
    if (!isOver) await pause(POLL_INTERVAL_MS);
  }
  throw new Error(`did not happen within ${withinMs} ms: ${description}`, { cause });
}
