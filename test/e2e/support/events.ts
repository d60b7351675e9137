import { expect } from 'vitest';
import type { Client, JobEvent } from './client.js';
import { until } from './until.js';

export function isTerminal({ name }: JobEvent): boolean {
  return name === 'completed' || name === 'failed';
}

/** Checks that ids rise from `from` without a gap, and that only the last event ends the job. */
export function expectContiguous(events: JobEvent[], from = 1): void {
  expect(events.map(({ id }) => id)).toEqual(events.map((_, index) => String(from + index)));
  expect(events.map(isTerminal)).toEqual(events.map((_, index) => index === events.length - 1));
}

/** Follows a job and resumes its stream after every disconnect. @returns every event */
export async function followThroughDisconnects(
  client: Client,
  jobId: string,
  onEvent: (count: number) => Promise<unknown> = () => Promise.resolve(),
  withinMs = 90_000,
): Promise<JobEvent[]> {
  const events: JobEvent[] = [];
  await until(
    'the job ends',
    async () => {
      const last = events.at(-1);
      // A stream that is opened after the end repeats the final event.
      if (last && isTerminal(last)) return true;
      for await (const event of client.stream(jobId, { lastEventId: last?.id ?? '0' })) {
        if (event.name === '' || event.name === 'waiting') continue;
        events.push(event);
        await onEvent(events.length);
      }
      return events.some(isTerminal);
    },
    withinMs,
  );
  return events;
}
