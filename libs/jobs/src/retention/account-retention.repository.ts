import { queryRows } from '@app/database';
import type { EntityManager } from 'typeorm';

export async function countTranscriptsOlderThan(
  tx: EntityManager,
  accountId: string,
  days: number,
): Promise<number> {
  const [row] = await queryRows<{ count: number }>(
    tx,
    `SELECT count(*)::int AS count FROM job
     WHERE account_id = $1 AND result_key IS NOT NULL AND finished_at < now() - make_interval(days => $2)`,
    [accountId, days],
  );
  return row?.count ?? 0;
}
