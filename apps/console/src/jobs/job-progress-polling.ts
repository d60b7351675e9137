import { type Query, queryOptions } from '@tanstack/react-query';
import { type Job, jobQueryOptions, mayJobChange } from '../api/jobs.ts';
import { readJobInBatch } from './read-job-in-batch.ts';

const POLL_MS = 3_000;

/** All polled jobs are read at the same times, so that together they take as many requests as one or two. */
export const jobProgressPollingQueryOptions = (accountId: string, jobId: string) => {
  const isReadAgain = ({ state }: Query<Job>) => mayJobChange(state);
  return queryOptions({
    // Below the key of the job, so that a change of the job reads it again.
    queryKey: [...jobQueryOptions(accountId, jobId).queryKey, 'progress'],
    queryFn: ({ signal }) => readJobInBatch(accountId, jobId, signal),
    refetchInterval: ({ state }) => mayJobChange(state) && POLL_MS - (Date.now() % POLL_MS),
    refetchOnMount: isReadAgain,
    refetchOnWindowFocus: isReadAgain,
    refetchOnReconnect: isReadAgain,
  });
};
