import { AsyncLocalStorage } from 'node:async_hooks';

/** Fields of every log line of one request or stage. */
export type LogFields = Record<string, unknown>;

const current = new AsyncLocalStorage<LogFields>();

/**
 * Adds the fields, besides those of the caller, to every line that the work logs through any logger. Later
 * additions change the object that the work gets.
 */
export function withLogFields<T>(fields: LogFields, work: (fields: LogFields) => T): T {
  const all = { ...current.getStore(), ...fields };
  return current.run(all, work, all);
}

/** Does nothing outside `withLogFields`. */
export function addLogFields(fields: LogFields): void {
  const store = current.getStore();
  if (store !== undefined) Object.assign(store, fields);
}

/** @returns a copy; empty outside `withLogFields` */
export function getCurrentLogFields(): LogFields {
  return { ...current.getStore() };
}
