import type { JobFilter } from '../../api/jobs.ts';
import { toLocalDayStartIso } from '../../lib/day-start.ts';

/** The filters in the address bar; days are those of the browser. */
export interface JobSearchParams {
  text?: string | undefined;
  status?: string | undefined;
  key?: string | undefined;
  since?: string | undefined;
  until?: string | undefined;
}

/** Every key is set: a key that is left out keeps the value of the URL. */
export function parseJobSearchParams(search: Record<string, unknown>): JobSearchParams {
  const read = (name: string) => {
    const value = search[name];
    // The router reads an unquoted number from the URL as a number.
    return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
  };
  return {
    text: read('text'),
    status: read('status'),
    key: read('key'),
    since: read('since'),
    until: read('until'),
  };
}

export function toJobFilter({ text, status, key, since, until }: JobSearchParams): JobFilter {
  return {
    text,
    status,
    key_id: key,
    created_after: since && toLocalDayStartIso(since, 0),
    created_before: until && toLocalDayStartIso(until, 1),
  };
}
