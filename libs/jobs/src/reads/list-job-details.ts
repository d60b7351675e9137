import { type JobStatus, tenantRows, tenantStatement, type TenantStatement } from '@app/database';
import type { DataSource } from 'typeorm';
import type { JobMetadata } from '../options/job-metadata.js';
import type { OutputType } from '../options/job-options.js';
import { COMPLETED_AT_SQL } from './iso-moment.js';
import {
  BEFORE,
  type JobPage,
  type ListedJob,
  pageOf,
  type PageRequest,
  pageValues,
  ROW,
} from './list-jobs.js';
import { rarestCondition } from './rarest-condition.js';

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

const DETAILS = `${ROW}, job.status, job.options->>'output_type' AS "outputType",
  COALESCE(job.metadata, '{}') AS metadata, job.failed_stage AS "failedStage", job.reason, job.duration,
  ${COMPLETED_AT_SQL} AS "completedAt"`;

const UNFILTERED = tenantStatement(
  'job-details-newest-first',
  `SELECT ${DETAILS} FROM job WHERE account_id = $1 AND job.created_at < ${BEFORE}
   ORDER BY job.created_at DESC LIMIT $3`,
);

/** In the order of `job_account_status`. */
const BY_STATUS = tenantStatement(
  'job-details-by-status',
  `SELECT ${DETAILS} FROM job
   WHERE account_id = $1 AND job.created_at < ${BEFORE} AND job.status = $4
     AND ($5::jsonb IS NULL OR job.metadata @> $5)
   ORDER BY job.created_at DESC LIMIT $3`,
);

/** In the order of `job_metadata_match`, by one entry; the jobs that are found so are judged by the rest. */
const BY_METADATA = tenantStatement(
  'job-details-by-metadata',
  `SELECT ${DETAILS} FROM job_metadata entry JOIN job ON job.id = entry.job_id
   WHERE entry.account_id = $1 AND entry.key = $6 AND entry.value = $7 AND entry.created_at < ${BEFORE}
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
  const read = (statement: TenantStatement, ...values: unknown[]) =>
    tenantRows<ListedJobDetails>(dataSource, accountId, statement, [...pageValues(page), ...values]);
  const { status, metadata } = filter;
  const rarest = await rarestCondition(dataSource, accountId, filter);
  if (rarest === null) return pageOf(await read(UNFILTERED), page);
  const wanted = [status, metadata && JSON.stringify(metadata)];
  const rows =
    'key' in rarest ? read(BY_METADATA, ...wanted, rarest.key, rarest.value) : read(BY_STATUS, ...wanted);
  return pageOf(await rows, page);
}
