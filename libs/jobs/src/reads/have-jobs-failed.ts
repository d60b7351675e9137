import { queryAccountRows, buildAccountStatement } from '@app/database';
import type { DataSource } from 'typeorm';

const SELECT_FAILED = buildAccountStatement(
  'jobs-failed',
  `SELECT COALESCE(job.status = 'failed', false) AS failed
         FROM unnest($2::uuid[]) WITH ORDINALITY AS asked (id, place)
         LEFT JOIN job ON job.id = asked.id AND job.account_id = $1
         ORDER BY place`,
);

/**
 * Whether each of the jobs has failed, in the order of the ids.
 * @param jobIds UUIDs; one that the account has no job of gives false.
 */
export async function haveJobsFailed(
  dataSource: DataSource,
  accountId: string,
  jobIds: readonly string[],
): Promise<boolean[]> {
  const rows = await queryAccountRows<{ failed: boolean }>(dataSource, accountId, SELECT_FAILED, [jobIds]);
  return rows.map(({ failed }) => failed);
}
