import {
  type AccountScopedQuery,
  buildAccountScopedQuery,
  type JobStatus,
  queryAccountRows,
} from '@app/database';
import type { DataSource } from 'typeorm';
import type { JobMetadata, OutputType } from '../options/job-options.js';
import { COMPLETED_AT_SQL, buildIsoTimestampSql } from './job-lookup.repository.js';

export interface JobIdAndCreationTime {
  id: string;
  /** `YYYY-MM-DDTHH:MM:SS.ffffffZ`, exactly as stored. */
  createdAt: string;
}

export interface JobPage<Row extends JobIdAndCreationTime = JobIdAndCreationTime> {
  jobs: Row[];
  /** `createdAt` of the last job of the page; null on the last page. */
  nextBefore: string | null;
}

export interface JobPageRequest {
  limit: number;
  /** Microseconds since 1970, exclusive; null for the first page. */
  before: bigint | null;
}

/** `$2` is the cursor of the page. */
export const PAGE_CURSOR_TIMESTAMP_SQL = `COALESCE(timestamptz 'epoch' + $2::bigint * interval '1 microsecond', 'infinity')`;
export const JOB_ID_AND_CREATION_TIME_COLUMNS_SQL = `job.id, ${buildIsoTimestampSql('job.created_at')} AS "createdAt"`;

const NEWEST_FIRST = buildAccountScopedQuery(
  'jobs-newest-first',
  `SELECT ${JOB_ID_AND_CREATION_TIME_COLUMNS_SQL} FROM job WHERE account_id = $1 AND job.created_at < ${PAGE_CURSOR_TIMESTAMP_SQL}
   ORDER BY job.created_at DESC LIMIT $3`,
);

/** Newest first. */
export async function listJobIdsAndCreationTimes(
  dataSource: DataSource,
  accountId: string,
  page: JobPageRequest,
): Promise<JobPage> {
  const rows = await queryAccountRows<JobIdAndCreationTime>(
    dataSource,
    accountId,
    NEWEST_FIRST,
    buildCursorAndLimitParameters(page),
  );
  return buildJobPage(rows, page);
}

/** `$2` and `$3`. One additional job shows whether there is another page. */
export function buildCursorAndLimitParameters({ limit, before }: JobPageRequest): unknown[] {
  return [before?.toString() ?? null, limit + 1];
}

export function buildJobPage<Row extends JobIdAndCreationTime>(
  rows: Row[],
  { limit }: JobPageRequest,
): JobPage<Row> {
  const jobs = rows.slice(0, limit);
  return { jobs, nextBefore: rows.length > limit ? (jobs.at(-1)?.createdAt ?? null) : null };
}

export interface JobListItemWithDetails extends JobIdAndCreationTime {
  status: JobStatus;
  outputType: OutputType;
  metadata: JobMetadata;
  failedStage: string | null;
  reason: string | null;
  /** Seconds; null until decoded. */
  duration: number | null;
  /** As `createdAt`; null unless the job is `completed`. */
  completedAt: string | null;
}

export interface JobFilter {
  status: JobStatus | null;
  /** Requires all of these entries; null for any. */
  metadata: JobMetadata | null;
}

const DETAIL_COLUMNS = `${JOB_ID_AND_CREATION_TIME_COLUMNS_SQL}, job.status, job.options->>'output_type' AS "outputType",
  COALESCE(job.metadata, '{}') AS metadata, job.failed_stage AS "failedStage", job.reason, job.duration,
  ${COMPLETED_AT_SQL} AS "completedAt"`;

const SELECT_ALL = buildAccountScopedQuery(
  'job-details-newest-first',
  `SELECT ${DETAIL_COLUMNS} FROM job WHERE account_id = $1 AND job.created_at < ${PAGE_CURSOR_TIMESTAMP_SQL}
   ORDER BY job.created_at DESC LIMIT $3`,
);

/** Reads in the order of the index `job_account_status`. */
const SELECT_BY_STATUS = buildAccountScopedQuery(
  'job-details-by-status',
  `SELECT ${DETAIL_COLUMNS} FROM job
   WHERE account_id = $1 AND job.created_at < ${PAGE_CURSOR_TIMESTAMP_SQL} AND job.status = $4
     AND ($5::jsonb IS NULL OR job.metadata @> $5)
   ORDER BY job.created_at DESC LIMIT $3`,
);

/** Reads by one entry in the order of the index `job_metadata_match`, and filters by the others. */
const SELECT_BY_METADATA = buildAccountScopedQuery(
  'job-details-by-metadata',
  `SELECT ${DETAIL_COLUMNS} FROM job_metadata entry JOIN job ON job.id = entry.job_id
   WHERE entry.account_id = $1 AND entry.key = $6 AND entry.value = $7 AND entry.created_at < ${PAGE_CURSOR_TIMESTAMP_SQL}
     AND ($4::text IS NULL OR job.status = $4) AND job.metadata @> $5::jsonb
   ORDER BY entry.created_at DESC LIMIT $3`,
);

/**
 * Newest first. With one condition it reads only the page; with several it also reads jobs that match only
 * the most selective one.
 */
export async function listJobSummaries(
  dataSource: DataSource,
  accountId: string,
  page: JobPageRequest,
  filter: JobFilter,
): Promise<JobPage<JobListItemWithDetails>> {
  const read = (statement: AccountScopedQuery, ...values: unknown[]) =>
    queryAccountRows<JobListItemWithDetails>(dataSource, accountId, statement, [
      ...buildCursorAndLimitParameters(page),
      ...values,
    ]);
  const { status, metadata } = filter;
  const rarest = await findConditionWithFewestJobs(dataSource, accountId, filter);
  if (rarest === null) return buildJobPage(await read(SELECT_ALL), page);
  const wanted = [status, metadata && JSON.stringify(metadata)];
  const rows =
    'key' in rarest
      ? read(SELECT_BY_METADATA, ...wanted, rarest.key, rarest.value)
      : read(SELECT_BY_STATUS, ...wanted);
  return buildJobPage(await rows, page);
}

/** Conditions with more matches are equally unselective. */
const COUNT_LIMIT = 1_000;

const SELECT_COUNTS = buildAccountScopedQuery(
  'job-filter-counts',
  `SELECT key, value FROM (
     SELECT wanted.key, wanted.value, found.jobs
     FROM unnest($2::text[], $3::text[]) AS wanted (key, value)
     CROSS JOIN LATERAL (SELECT count(*) AS jobs FROM (
       SELECT 1 FROM job_metadata entry
       WHERE entry.account_id = $1 AND entry.key = wanted.key AND entry.value = wanted.value LIMIT ${COUNT_LIMIT}
     ) counted_entry) found
     UNION ALL
     SELECT NULL, NULL, (SELECT count(*) FROM (
       SELECT 1 FROM job WHERE account_id = $1 AND job.status = $4 LIMIT ${COUNT_LIMIT}
     ) counted_job)
     WHERE $4::text IS NOT NULL
   ) counted ORDER BY jobs LIMIT 1`,
);

/** @returns null without conditions */
export async function findConditionWithFewestJobs(
  dataSource: DataSource,
  accountId: string,
  { status, metadata }: JobFilter,
): Promise<{ key: string; value: string } | { status: string } | null> {
  const entries = Object.entries(metadata ?? {}).map(([key, value]) => ({ key, value }));
  const [only = null] = entries;
  if (status === null && entries.length < 2) return only;
  if (status !== null && only === null) return { status };
  const [rarest] = await queryAccountRows<{ key: string | null; value: string }>(
    dataSource,
    accountId,
    SELECT_COUNTS,
    [entries.map(({ key }) => key), entries.map(({ value }) => value), status],
  );
  const key = rarest?.key ?? null;
  if (key !== null) return { key, value: rarest?.value ?? '' };
  return status === null ? only : { status };
}
