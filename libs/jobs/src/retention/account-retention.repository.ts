import { queryRows } from '@app/database';
import type { EntityManager } from 'typeorm';

/** Locks the account until the end of the transaction. @returns null without a choice, undefined without the account */
export async function readAndLockRetentionDays(
  tx: EntityManager,
  accountId: string,
): Promise<number | null | undefined> {
  const [account] = await queryRows<{ days: number | null }>(
    tx,
    // A full lock would wait for transactions that only refer to the account.
    'SELECT transcript_retention_days AS days FROM account WHERE id = $1 FOR NO KEY UPDATE',
    [accountId],
  );
  return account?.days;
}

export async function updateAccountRetentionDays(
  tx: EntityManager,
  accountId: string,
  days: number | null,
): Promise<void> {
  await tx.query('UPDATE account SET transcript_retention_days = $2 WHERE id = $1', [accountId, days]);
}

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
