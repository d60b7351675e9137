import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { request } from './client.ts';
import { toQueryString } from './queries.ts';
import type { Schema } from './types.ts';

export const JOB_STATUSES = ['processing', 'completed', 'failed'] as const satisfies readonly Job['status'][];

export type Job = Schema<'ConsoleJob'>;
export type JobDetails = Schema<'ConsoleJobDetails'>;
export type JobPage = Schema<'ConsoleJobListResponse'>;

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

/** Begins the keys of all lists. */
export const jobListKey = (accountId: string) => [accountId, 'job-lists'] as const;

export const jobsQuery = (accountId: string, filter: JobFilter) =>
  infiniteQueryOptions({
    queryKey: [...jobListKey(accountId), 'pages', filter],
    queryFn: ({ pageParam }) =>
      request<JobPage>('GET', `jobs${toQueryString({ ...filter, limit: PAGE_SIZE, cursor: pageParam })}`),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
    // The newest page is refreshed by itself; loading every page again would be slow.
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    staleTime: 60_000,
    // Comparing all loaded rows with each page would take longer than a frame.
    structuralSharing: false,
  });

/** The first page, again and again while the page is visible. */
export const newestJobsQuery = (accountId: string, filter: JobFilter) =>
  queryOptions({
    queryKey: [...jobListKey(accountId), 'newest', filter],
    queryFn: () =>
      request<JobPage>('GET', `jobs${toQueryString({ ...filter, limit: String(NEWEST_JOBS_PAGE_SIZE) })}`),
    refetchInterval: REFRESH_MS,
  });

export const jobQuery = (accountId: string, jobId: string) =>
  queryOptions({
    queryKey: [accountId, 'jobs', jobId],
    queryFn: () => request<JobDetails>('GET', `jobs/${encodeURIComponent(jobId)}`),
  });

/** Of a job that the newest page does not have. */
export const refreshedJobQuery = (accountId: string, jobId: string) =>
  queryOptions({ ...jobQuery(accountId, jobId), refetchInterval: 2 * REFRESH_MS });

export const keyNamesQuery = (accountId: string) =>
  queryOptions({
    queryKey: [accountId, 'jobs', 'key-names'],
    queryFn: async () =>
      (await request<Schema<'KeyListResponse'>>('GET', 'keys')).keys.map(({ id, name }) => ({
        id,
        name,
      })),
    staleTime: 60_000,
  });
