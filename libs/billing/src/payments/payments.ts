import { type PaymentState, queryRows } from '@app/database';
import type { DataSource } from 'typeorm';

export interface PaymentView {
  id: string;
  accountId: string;
  credits: number;
  state: PaymentState;
  reference: string | null;
  createdAt: Date;
  endedAt: Date | null;
}

export interface PaymentFilter {
  accountId?: string;
  state?: PaymentState;
  limit: number;
}

const COLUMNS = `id, account_id AS "accountId", credits, state, reference, created_at AS "createdAt", ended_at AS "endedAt"`;

/** Newest first. */
export async function listPayments(
  dataSource: DataSource,
  { accountId, state, limit }: PaymentFilter,
): Promise<PaymentView[]> {
  return queryRows<PaymentView>(
    dataSource,
    `SELECT ${COLUMNS} FROM payment
     WHERE ($1::uuid IS NULL OR account_id = $1) AND ($2::text IS NULL OR state = $2) ORDER BY id DESC LIMIT $3`,
    [accountId ?? null, state ?? null, limit],
  );
}

export async function findPayment(dataSource: DataSource, id: string): Promise<PaymentView | undefined> {
  const [payment] = await queryRows<PaymentView>(dataSource, `SELECT ${COLUMNS} FROM payment WHERE id = $1`, [
    id,
  ]);
  return payment;
}

/**
 * The money is there: grants the credits. State, entry and balance change in one statement, so that of several that
 * settle one payment exactly one grants.
 * @returns the new balance; null, and nothing is changed, when it is not open
 */
export async function settlePayment(
  dataSource: DataSource,
  id: string,
  reference: string | null = null,
): Promise<number | null> {
  const [account] = await queryRows<{ balance: number }>(
    dataSource,
    `WITH holder AS (
       SELECT id FROM account WHERE id = (SELECT account_id FROM payment WHERE id = $1) FOR NO KEY UPDATE
     ), settled AS (
       UPDATE payment SET state = 'settled', ended_at = now(), reference = COALESCE($2, reference)
       FROM holder WHERE payment.id = $1 AND account_id = holder.id AND state = 'requested'
       RETURNING payment.id, account_id, credits
     ), entry AS (
       INSERT INTO credit_entry (account_id, kind, amount, payment_id, note)
       SELECT account_id, 'grant', credits, id, 'payment' FROM settled
     )
     UPDATE account SET balance = balance + settled.credits FROM settled
     WHERE account.id = settled.account_id RETURNING account.balance`,
    [id, reference],
  );
  return account?.balance ?? null;
}

/** There will be no money. @returns false, and nothing is changed, when it is not open. */
export async function declinePayment(
  dataSource: DataSource,
  id: string,
  reference: string | null = null,
): Promise<boolean> {
  const declined = await queryRows(
    dataSource,
    `UPDATE payment SET state = 'declined', ended_at = now(), reference = COALESCE($2, reference)
     WHERE id = $1 AND state = 'requested' RETURNING id`,
    [id, reference],
  );
  return declined.length === 1;
}
