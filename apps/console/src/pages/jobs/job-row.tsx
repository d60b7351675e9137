import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { memo } from 'react';
import { type Job, NEWEST_JOBS_PAGE_SIZE, jobRowPollingQueryOptions } from '../../api/jobs.ts';
import { JobStatusBadge } from '../../components/status-badge.tsx';
import { describeJobCreator } from '../../jobs/describe-job-creator.ts';
import { formatDateTime, formatDurationAsClock } from '../../lib/format.ts';
import { texts } from '../../texts/index.ts';

export const JOB_ROW_GRID_CLASSES =
  'md:grid md:grid-cols-[minmax(0,3fr)_minmax(0,2fr)_minmax(0,2fr)_minmax(0,1fr)_minmax(0,2fr)] md:items-center md:gap-3';

interface JobRowProps {
  job: Job;
  index: number;
  /** Pixels from the top of the list. */
  offset: number;
  height: number;
}

/** One line of a fixed height, two on narrow screens. */
export const JobRow = memo(function JobRow({ accountId, ...props }: JobRowProps & { accountId: string }) {
  const isLeftToRefresh = props.job.status === 'processing' && props.index >= NEWEST_JOBS_PAGE_SIZE;
  return isLeftToRefresh ? <RefreshedRow accountId={accountId} {...props} /> : <Row {...props} />;
});

/** The newest page refreshes the rows above. */
function RefreshedRow({ accountId, job, ...props }: JobRowProps & { accountId: string }) {
  const { data } = useQuery(jobRowPollingQueryOptions(accountId, job));
  return <Row job={data} {...props} />;
}

function Row({ job, index, offset, height }: JobRowProps) {
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      data-index={index}
      style={{ transform: `translateY(${offset}px)`, height }}
      className={`${JOB_ROW_GRID_CLASSES} border-line absolute inset-x-0 top-0 overflow-hidden border-t px-3 contain-strict max-md:flex max-md:flex-wrap max-md:content-center max-md:items-center max-md:gap-x-3 max-md:gap-y-1`}
    >
      <div role="gridcell" className="min-w-0 truncate max-md:basis-full">
        <Link
          to="/jobs/$jobId"
          params={{ jobId: job.job_id }}
          dir="auto"
          className="text-accent font-medium hover:underline"
          title={job.file_name ?? job.job_id}
        >
          {job.file_name ?? <span className="font-mono text-xs">{job.job_id}</span>}
        </Link>
      </div>
      <div role="gridcell" className="min-w-0 truncate">
        <JobStatusBadge job={job} />
        {job.status === 'processing' && job.steps_total !== null && (
          <span className="text-muted ml-2 text-xs">{texts.jobs.steps(job.steps_done, job.steps_total)}</span>
        )}
      </div>
      <div role="gridcell" className="text-muted truncate">
        <time dateTime={job.created_at}>{formatDateTime(job.created_at)}</time>
      </div>
      <div role="gridcell" className="text-muted truncate">
        {job.duration_seconds === null ? texts.jobs.unknown : formatDurationAsClock(job.duration_seconds)}
      </div>
      <div role="gridcell" className="text-muted min-w-0 truncate">
        {describeJobCreator(job) ?? texts.jobs.unknown}
      </div>
    </div>
  );
}
