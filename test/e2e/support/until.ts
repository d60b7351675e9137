import { setTimeout as pause } from 'node:timers/promises';

const LOOK_EVERY_MS = 50;

/**
 * Looks again and again until `look` gives something, and gives that back. A look that throws counts as nothing seen.
 * However long this process itself stood still, it looks once more when the time is over.
 * @throws Error when `withinMs` are over; its cause is what the last look threw.
 */
export async function until<T>(
  what: string,
  look: () => T | undefined | false | Promise<T | undefined | false>,
  withinMs = 30_000,
): Promise<T> {
  const deadline = Date.now() + withinMs;
  let cause: unknown;
  for (let late = false; !late;) {
    late = Date.now() >= deadline;
    try {
      const seen = await look();
      if (seen !== undefined && seen !== false) return seen;
      cause = undefined;
    } catch (error) {
      cause = error;
    }
    if (!late) await pause(LOOK_EVERY_MS);
  }
  throw new Error(`waited ${withinMs} ms in vain: ${what}`, { cause });
}
