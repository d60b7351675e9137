import { expect } from 'vitest';
import type { JobEvent } from './client.js';

export function isTerminal({ name }: JobEvent): boolean {
  return name === 'completed' || name === 'failed';
}

/** Judges that ids run from `from` without a gap, and that exactly the last event ends the job. */
export function expectContiguous(events: JobEvent[], from = 1): void {
  expect(events.map(({ id }) => id)).toEqual(events.map((_, at) => String(from + at)));
  expect(events.map(isTerminal)).toEqual(events.map((_, at) => at === events.length - 1));
}
