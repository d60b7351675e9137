import { AsyncLocalStorage } from 'node:async_hooks';

/** What every log line has that is written on behalf of one request or one stage. */
export type LogFields = Record<string, unknown>;

const current = new AsyncLocalStorage<LogFields>();

/**
 * Runs the work; whatever it logs, through whichever logger, has these fields besides those that were there before.
 * It is given all of them, those that are added later included.
 */
export function withLogFields<T>(fields: LogFields, work: (fields: LogFields) => T): T {
  const all = { ...current.getStore(), ...fields };
  return current.run(all, work, all);
}

/** Adds fields to the lines that come; does nothing outside of `withLogFields`. */
export function addLogFields(fields: LogFields): void {
  const there = current.getStore();
  if (there !== undefined) Object.assign(there, fields);
}

/** A copy; empty outside of `withLogFields`. */
export function currentLogFields(): LogFields {
  return { ...current.getStore() };
}
