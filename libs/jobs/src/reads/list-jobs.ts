import { queryAccountRows, buildAccountStatement } from '@app/database';
import type { DataSource } from 'typeorm';
import { isoTimestampSql } from './iso-timestamp-sql.js';

export interface ListedJob {
  id: string;
  /** `YYYY-MM-DDTHH:MM:SS.ffffffZ`, exactly as stored. */
  createdAt: string;
}

export interface JobPage<Row extends ListedJob = ListedJob> {
  jobs: Row[];
  /** `createdAt` of the last job here; null when there are no older ones. */
  nextBefore: string | null;
}

export interface PageRequest {
  limit: number;
  /** Microseconds since 1970, exclusive; null for the first page. */
  before: bigint | null;
}

/** Of the page, from `$2`. */
export const BEFORE_CURSOR_SQL = `COALESCE(timestamptz 'epoch' + $2::bigint * interval '1 microsecond', 'infinity')`;
export const JOB_COLUMNS = `job.id, ${isoTimestampSql('job.created_at')} AS "createdAt"`;

const NEWEST_FIRST = buildAccountStatement(
  'jobs-newest-first',
  `SELECT ${JOB_COLUMNS} FROM job WHERE account_id = $1 AND job.created_at < ${BEFORE_CURSOR_SQL}
   ORDER BY job.created_at DESC LIMIT $3`,
);

/** A page of an account's jobs, newest first. */
export async function listJobs(
  dataSource: DataSource,
  accountId: string,
  page: PageRequest,
): Promise<JobPage> {
  const rows = await queryAccountRows<ListedJob>(
    dataSource,
    accountId,
    NEWEST_FIRST,
    buildPageParameters(page),
  );
  return buildPage(rows, page);
}

/** `$2` and `$3` of a statement for a page: one job more than wanted tells whether there is another page. */
export function buildPageParameters({ limit, before }: PageRequest): unknown[] {
  return [before?.toString() ?? null, limit + 1];
}

export function buildPage<Row extends ListedJob>(rows: Row[], { limit }: PageRequest): JobPage<Row> {
  const jobs = rows.slice(0, limit);
  return { jobs, nextBefore: rows.length > limit ? (jobs.at(-1)?.createdAt ?? null) : null };
}
