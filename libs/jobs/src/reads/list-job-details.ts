import {
  type JobStatus,
  queryAccountRows,
  buildAccountStatement,
  type AccountStatement,
} from '@app/database';
import type { DataSource } from 'typeorm';
import type { JobMetadata } from '../options/job-metadata.js';
import type { OutputType } from '../options/job-options.js';
import { COMPLETED_AT_SQL } from './iso-timestamp-sql.js';
import {
  BEFORE_CURSOR_SQL,
  type JobPage,
  type ListedJob,
  buildPage,
  type PageRequest,
  buildPageParameters,
  JOB_COLUMNS,
} from './list-jobs.js';
import { findMostSelectiveCondition } from './most-selective-condition.js';

export interface ListedJobDetails extends ListedJob {
  status: JobStatus;
  outputType: OutputType;
  /** Empty where the caller gave none. */
  metadata: JobMetadata;
  failedStage: string | null;
  reason: string | null;
  /** Seconds of decoded audio; null until it has been decoded. */
  duration: number | null;
  /** As `createdAt`; null unless the job is `completed`. */
  completedAt: string | null;
}

export interface JobFilter {
  status: JobStatus | null;
  /** Only jobs that have all of these entries; null for any. */
  metadata: JobMetadata | null;
}

const DETAIL_COLUMNS = `${JOB_COLUMNS}, job.status, job.options->>'output_type' AS "outputType",
  COALESCE(job.metadata, '{}') AS metadata, job.failed_stage AS "failedStage", job.reason, job.duration,
  ${COMPLETED_AT_SQL} AS "completedAt"`;

const SELECT_ALL = buildAccountStatement(
  'job-details-newest-first',
  `SELECT ${DETAIL_COLUMNS} FROM job WHERE account_id = $1 AND job.created_at < ${BEFORE_CURSOR_SQL}
   ORDER BY job.created_at DESC LIMIT $3`,
);

/** In the order of `job_account_status`. */
const SELECT_BY_STATUS = buildAccountStatement(
  'job-details-by-status',
  `SELECT ${DETAIL_COLUMNS} FROM job
   WHERE account_id = $1 AND job.created_at < ${BEFORE_CURSOR_SQL} AND job.status = $4
     AND ($5::jsonb IS NULL OR job.metadata @> $5)
   ORDER BY job.created_at DESC LIMIT $3`,
);

/** In the order of `job_metadata_match`, by one entry; the jobs that are found so are judged by the rest. */
const SELECT_BY_METADATA = buildAccountStatement(
  'job-details-by-metadata',
  `SELECT ${DETAIL_COLUMNS} FROM job_metadata entry JOIN job ON job.id = entry.job_id
   WHERE entry.account_id = $1 AND entry.key = $6 AND entry.value = $7 AND entry.created_at < ${BEFORE_CURSOR_SQL}
     AND ($4::text IS NULL OR job.status = $4) AND job.metadata @> $5::jsonb
   ORDER BY entry.created_at DESC LIMIT $3`,
);

/**
 * A page of an account's jobs that pass a filter, newest first, with more of each. Under one condition it reads what is
 * on the page; under several it also reads jobs that pass the rarest of them only.
 */
export async function listJobDetails(
  dataSource: DataSource,
  accountId: string,
  page: PageRequest,
  filter: JobFilter,
): Promise<JobPage<ListedJobDetails>> {
  const read = (statement: AccountStatement, ...values: unknown[]) =>
    queryAccountRows<ListedJobDetails>(dataSource, accountId, statement, [
      ...buildPageParameters(page),
      ...values,
    ]);
  const { status, metadata } = filter;
  const rarest = await findMostSelectiveCondition(dataSource, accountId, filter);
  if (rarest === null) return buildPage(await read(SELECT_ALL), page);
  const wanted = [status, metadata && JSON.stringify(metadata)];
  const rows =
    'key' in rarest
      ? read(SELECT_BY_METADATA, ...wanted, rarest.key, rarest.value)
      : read(SELECT_BY_STATUS, ...wanted);
  return buildPage(await rows, page);
}
