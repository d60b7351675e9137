import { queryRows } from '@app/database';
import type { EntityManager } from 'typeorm';

/** Takes what the account owes from its balance, as far as it goes. @returns the balance */
export async function collectOwedCredits(tx: EntityManager, accountId: string): Promise<number> {
  const [account] = await queryRows<{ balance: number }>(
    tx,
    `WITH debtor AS (
       SELECT id, LEAST(balance, owed_credits) AS amount FROM account WHERE id = $1 FOR NO KEY UPDATE
     ), entry AS (
       INSERT INTO credit_entry (account_id, kind, amount, note)
       SELECT id, 'reversal', -amount, 'credits owed' FROM debtor WHERE amount > 0
     )
     UPDATE account SET balance = balance - amount, owed_credits = owed_credits - amount
     FROM debtor WHERE account.id = debtor.id RETURNING balance`,
    [accountId],
  );
  return account?.balance ?? 0;
}

/**
 * Takes credits of a payment back, or returns them if negative. What the balance does not cover is owed; what is
 * returned reduces the debt first.
 */
export async function reverseOrReturnCredits(
  tx: EntityManager,
  { accountId, paymentId, credits }: { accountId: string; paymentId: string; credits: number },
): Promise<void> {
  await tx.query(
    `WITH account_row AS (
       SELECT id, CASE WHEN $2 > 0 THEN -LEAST(balance, $2) ELSE GREATEST(-$2 - owed_credits, 0) END AS change
       FROM account WHERE id = $1 FOR NO KEY UPDATE
     ), entry AS (
       INSERT INTO credit_entry (account_id, kind, amount, payment_id, note)
       SELECT id, 'reversal', change, $3, $4 FROM account_row WHERE change <> 0
     )
     UPDATE account SET balance = balance + change, owed_credits = owed_credits + change + $2
     FROM account_row WHERE account.id = account_row.id`,
    [accountId, credits, paymentId, credits > 0 ? 'refund or lost dispute' : 'refund failed or dispute won'],
  );
}

/** Accounts that owe credits and have some. */
export async function findAccountIdsWithCollectableDebt(db: EntityManager): Promise<string[]> {
  const rows = await queryRows<{ id: string }>(
    db,
    'SELECT id FROM account WHERE owed_credits > 0 AND balance > 0',
  );
  return rows.map(({ id }) => id);
}
