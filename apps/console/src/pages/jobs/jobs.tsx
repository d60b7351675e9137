import { useInfiniteQuery, useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useMemo } from 'react';
import {
  jobsInfiniteQueryOptions,
  NEWEST_JOBS_PAGE_SIZE,
  newestJobsPollingQueryOptions,
} from '../../api/jobs.ts';
import { sessionQueryOptions } from '../../api/queries.ts';
import { LoadErrorNotice } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { mergeNewestJobs } from '../../lib/merge-newest-jobs.ts';
import { texts } from '../../texts/index.ts';
import { JobFilters } from './job-filters.tsx';
import { JobList } from './job-list.tsx';
import { type JobSearchParams, toJobFilter } from './job-search.ts';

export function JobsPage() {
  const { data: session } = useSuspenseQuery(sessionQueryOptions);
  const search = useSearch({ from: '/shell/jobs' });
  const navigate = useNavigate();
  const accountId = session.account?.id ?? '';
  const change = (changes: JobSearchParams) =>
    void navigate({ to: '/jobs', search: { ...search, ...changes }, replace: true });
  return (
    <Page title={texts.jobs.title} intro={texts.jobs.intro}>
      <JobFilters accountId={accountId} search={search} onChange={change} />
      <LoadedJobs
        accountId={accountId}
        search={search}
        mayWrite={session.account?.permissions.includes('jobs.write') ?? false}
      />
    </Page>
  );
}

interface LoadedJobsProps {
  accountId: string;
  search: JobSearchParams;
  mayWrite: boolean;
}

function LoadedJobs({ accountId, search, mayWrite }: LoadedJobsProps) {
  const filter = toJobFilter(search);
  const pages = useInfiniteQuery(jobsInfiniteQueryOptions(accountId, filter));
  const newest = useQuery({ ...newestJobsPollingQueryOptions(accountId, filter), enabled: pages.isSuccess });
  const loaded = useMemo(() => pages.data?.pages.flatMap(({ jobs }) => jobs), [pages.data]);
  const merged = useMemo(
    () =>
      loaded &&
      mergeNewestJobs(
        loaded,
        newest.data?.jobs ?? null,
        newest.data !== undefined && newest.data.jobs.length < NEWEST_JOBS_PAGE_SIZE,
      ),
    [loaded, newest.data],
  );
  const { refetch } = pages;
  useEffect(() => {
    if (merged === null) void refetch();
  }, [merged, refetch]);
  const rows = merged ?? loaded;
  const isFiltered = Object.values(search).some(Boolean);
  if (pages.isError && !rows)
    return <LoadErrorNotice error={pages.error} onRetry={() => void pages.refetch()} />;
  if (!rows) return <Skeleton rows={10} />;
  if (rows.length === 0)
    return (
      <div className="text-muted">
        <p>{isFiltered ? texts.jobs.emptyFiltered : texts.jobs.empty}</p>
        {!isFiltered && mayWrite && <p>{texts.jobs.emptyHelp}</p>}
      </div>
    );
  return (
    <>
      <JobList
        accountId={accountId}
        jobs={rows}
        hasMore={pages.hasNextPage}
        onEndReached={() => {
          if (!pages.isFetchingNextPage && !pages.isFetchNextPageError) void pages.fetchNextPage();
        }}
      />
      {pages.isFetchNextPageError && (
        <LoadErrorNotice error={pages.error} onRetry={() => void pages.fetchNextPage()} />
      )}
    </>
  );
}
