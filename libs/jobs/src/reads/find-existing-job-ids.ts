import { queryRows } from '@app/database';
import type { DataSource } from 'typeorm';

/** Which of these ids are ids of jobs, in any state. */
export async function findExistingJobIds(
  dataSource: DataSource,
  ids: Iterable<string>,
): Promise<ReadonlySet<string>> {
  const rows = await queryRows<{ id: string }>(dataSource, 'SELECT id FROM job WHERE id = ANY($1::uuid[])', [
    [...new Set(ids)],
  ]);
  return new Set(rows.map(({ id }) => id));
}
