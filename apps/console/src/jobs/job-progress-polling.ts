import { queryOptions } from '@tanstack/react-query';
import { jobQueryOptions, mayJobChange } from '../api/jobs.ts';

const POLL_MS = 3_000;

let polledJobs = 0;

/** A registered job counts in the interval of all. @returns a function that removes it */
export function registerPolledJob(): () => void {
  polledJobs += 1;
  return () => {
    polledJobs -= 1;
  };
}

/** All polled jobs together take as many requests as one: the reads of an account are limited. */
export const jobProgressPollingQueryOptions = (accountId: string, jobId: string) =>
  queryOptions({
    ...jobQueryOptions(accountId, jobId),
    refetchInterval: ({ state }) => mayJobChange(state) && POLL_MS * Math.max(1, polledJobs),
  });
