import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { isNotFoundError, requestJson } from './client.ts';
import { toQueryString } from './queries.ts';
import type { ConsoleApiSchema } from './types.ts';

export const JOB_STATUSES = ['processing', 'completed', 'failed'] as const satisfies readonly Job['status'][];

export type Job = ConsoleApiSchema<'ConsoleJob'>;
export type JobDetails = ConsoleApiSchema<'ConsoleJobDetails'>;
export type JobsPageResponse = ConsoleApiSchema<'ConsoleJobListResponse'>;

export interface JobFilter {
  status?: string | undefined;
  text?: string | undefined;
  key_id?: string | undefined;
  created_after?: string | undefined;
  created_before?: string | undefined;
}

const PAGE_SIZE = '200';
export const NEWEST_JOBS_PAGE_SIZE = 50;
const REFRESH_MS = 5_000;
const ROW_REFRESH_MS = 60_000;

/** Begins the keys of all lists. */
export const buildJobListsQueryKeyPrefix = (accountId: string) => [accountId, 'job-lists'] as const;

export const jobsInfiniteQueryOptions = (accountId: string, filter: JobFilter) =>
  infiniteQueryOptions({
    queryKey: [...buildJobListsQueryKeyPrefix(accountId), 'pages', filter],
    queryFn: ({ pageParam }) =>
      requestJson<JobsPageResponse>(
        'GET',
        `jobs${toQueryString({ ...filter, limit: PAGE_SIZE, cursor: pageParam })}`,
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
    // The newest page is refreshed by itself; loading every page again would be slow.
    refetchOnWindowFocus: false,
    // A failed next page has the status as well; loading all the pages before it again would be slow.
    refetchOnReconnect: ({ state }) => state.status === 'error' && state.data === undefined,
    staleTime: 60_000,
    // Comparing all loaded rows with each page would take longer than a frame.
    structuralSharing: false,
  });

/** The first page, again and again while the page is visible. */
export const newestJobsPollingQueryOptions = (accountId: string, filter: JobFilter) =>
  queryOptions({
    queryKey: [...buildJobListsQueryKeyPrefix(accountId), 'newest', filter],
    queryFn: () =>
      requestJson<JobsPageResponse>(
        'GET',
        `jobs${toQueryString({ ...filter, limit: String(NEWEST_JOBS_PAGE_SIZE) })}`,
      ),
    refetchInterval: REFRESH_MS,
  });

export const listNewestJobs = (limit: number) =>
  requestJson<JobsPageResponse>('GET', `jobs${toQueryString({ limit: String(limit) })}`);

export const readJob = (jobId: string) => requestJson<JobDetails>('GET', `jobs/${encodeURIComponent(jobId)}`);

export const jobQueryOptions = (accountId: string, jobId: string) =>
  queryOptions({
    queryKey: [accountId, 'jobs', jobId],
    queryFn: () => readJob(jobId),
  });

/** Whether another read of the job may show something else: not of one that has ended or was deleted. */
export function mayJobChange({ data, error }: { data: Job | undefined; error: Error | null }): boolean {
  return (data?.status ?? 'processing') === 'processing' && !isNotFoundError(error);
}

/**
 * Polls a processing job that the newest page does not have. A screen shows dozens of them, scrolling thousands: a row begins
 * with what the list says.
 */
export const jobRowPollingQueryOptions = (accountId: string, job: Job) => {
  const { queryKey } = jobQueryOptions(accountId, job.job_id);
  return queryOptions({
    // Below the key of the job, so that a change of the job on its page loads the row again.
    queryKey: [...queryKey, 'row'],
    queryFn: (): Promise<Job> => readJob(job.job_id),
    initialData: job,
    staleTime: ROW_REFRESH_MS,
    refetchInterval: ({ state }) => mayJobChange(state) && ROW_REFRESH_MS,
    refetchOnMount: ({ state }) => state.isInvalidated,
    refetchOnWindowFocus: false,
  });
};

export const apiKeyIdsAndNamesQueryOptions = (accountId: string) =>
  queryOptions({
    queryKey: [accountId, 'jobs', 'key-names'],
    queryFn: async () =>
      (await requestJson<ConsoleApiSchema<'ApiKeyListResponse'>>('GET', 'keys')).keys.map(({ id, name }) => ({
        id,
        name,
      })),
    staleTime: 60_000,
  });
