import { tenantRows, tenantStatement } from '@app/database';
import type { DataSource } from 'typeorm';

export interface ListedJob {
  id: string;
  /** `YYYY-MM-DDTHH:MM:SS.ffffffZ`, exactly as stored. */
  createdAt: string;
}

export interface JobPage {
  jobs: ListedJob[];
  /** `createdAt` of the last job here; null when there are no older ones. */
  nextBefore: string | null;
}

// Written out by the database: a Date would lose the microseconds, and with them jobs at the edge of a page.
const NEWEST_FIRST = tenantStatement(
  'jobs-newest-first',
  `SELECT id, to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS "createdAt"
         FROM job
         WHERE account_id = $1
           AND job.created_at < COALESCE(timestamptz 'epoch' + $2::bigint * interval '1 microsecond', 'infinity')
         ORDER BY job.created_at DESC LIMIT $3`,
);

/**
 * A page of an account's jobs, newest first.
 * @param before microseconds since 1970, exclusive; null for the first page.
 */
export async function listJobs(
  dataSource: DataSource,
  accountId: string,
  { limit, before }: { limit: number; before: bigint | null },
): Promise<JobPage> {
  const rows = await tenantRows<ListedJob>(dataSource, accountId, NEWEST_FIRST, [
    before?.toString() ?? null,
    limit + 1,
  ]);
  const jobs = rows.slice(0, limit);
  return { jobs, nextBefore: rows.length > limit ? (jobs.at(-1)?.createdAt ?? null) : null };
}
