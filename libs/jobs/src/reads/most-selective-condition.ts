import { queryAccountRows, buildAccountStatement } from '@app/database';
import type { DataSource } from 'typeorm';
import type { JobFilter } from './list-job-details.js';

/** Beyond this nothing is counted: conditions that so many jobs fulfil are equally poor. */
const COUNT_LIMIT = 1_000;

const SELECT_COUNTS = buildAccountStatement(
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

/** The one entry of metadata, or the status, by which jobs are looked for; null where there is no condition. */
export async function findMostSelectiveCondition(
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
