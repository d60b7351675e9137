import { useInfiniteQuery, useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useMemo } from 'react';
import {
  jobsInfiniteQueryOptions,
  NEWEST_JOBS_PAGE_SIZE,
  newestJobsPollingQueryOptions,
} from '../../api/jobs.ts';
import { sessionQueryOptions } from '../../api/queries.ts';
import { LINK_AS_PRIMARY_BUTTON_CLASSES } from '../../components/button.tsx';
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
  const mayWrite = session.account?.permissions.includes('jobs.write') ?? false;
  const change = (changes: JobSearchParams) =>
    void navigate({ to: '/jobs', search: { ...search, ...changes }, replace: true });
  return (
    <Page
      title={texts.jobs.title}
      intro={texts.jobs.intro}
      actions={
        mayWrite && (
          <Link to="/transcribe" search={{}} className={LINK_AS_PRIMARY_BUTTON_CLASSES}>
            {texts.jobs.transcribe}
          </Link>
        )
      }
    >
      <LoadedJobs accountId={accountId} search={search} onChange={change} mayWrite={mayWrite} />
    </Page>
  );
}

interface LoadedJobsProps {
  accountId: string;
  search: JobSearchParams;
  onChange: (changes: JobSearchParams) => void;
  mayWrite: boolean;
}

function LoadedJobs({ accountId, search, onChange, mayWrite }: LoadedJobsProps) {
  const filter = toJobFilter(search);
  const pages = useInfiniteQuery(jobsInfiniteQueryOptions(accountId, filter));
  const newest = useQuery({
    ...newestJobsPollingQueryOptions(accountId, filter),
    // Also after a failed attempt to load the list again.
    enabled: pages.data !== undefined,
  });
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
  const loadAgain = useEffectEvent(() => {
    if (!pages.isFetching) void pages.refetch();
  });
  // Again with each response, because the attempt before may have failed.
  const gapFoundAt = merged === null ? newest.dataUpdatedAt : null;
  useEffect(() => {
    if (gapFoundAt !== null) loadAgain();
  }, [gapFoundAt]);
  const rows = merged ?? loaded;
  const isFiltered = Object.values(search).some(Boolean);
  if (rows?.length === 0 && !isFiltered)
    return (
      <div className="text-muted">
        <p>{texts.jobs.empty}</p>
        {mayWrite && <p>{texts.jobs.emptyHelp}</p>}
      </div>
    );
  return (
    <>
      <JobFilters accountId={accountId} search={search} onChange={onChange} />
      {(rows ? pages.isRefetchError : pages.isError) && (
        <LoadErrorNotice error={pages.error} onRetry={() => void pages.refetch()} />
      )}
      {!rows ? (
        !pages.isError && <Skeleton rows={10} />
      ) : rows.length === 0 ? (
        <p className="text-muted">{texts.jobs.emptyFiltered}</p>
      ) : (
        <JobList
          accountId={accountId}
          jobs={rows}
          hasMore={pages.hasNextPage}
          hasFailed={pages.isFetchNextPageError}
          onEndReached={() => {
            // It would cancel the request for all of them.
            if (!pages.isFetching && !pages.isFetchNextPageError) void pages.fetchNextPage();
          }}
        />
      )}
      {rows && pages.isFetchNextPageError && (
        <LoadErrorNotice error={pages.error} onRetry={() => void pages.fetchNextPage()} />
      )}
    </>
  );
}
