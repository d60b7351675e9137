import { Payment, type PaymentState, queryRows } from '@app/database';
import type { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';

export type PaymentView = Omit<Payment, 'account'>;

export interface PaymentFilter {
  accountId?: string;
  state?: PaymentState;
  limit: number;
}

/** Newest first. */
export async function listPayments(
  dataSource: DataSource,
  { accountId, state, limit }: PaymentFilter,
): Promise<PaymentView[]> {
  return dataSource.getRepository(Payment).find({
    where: { ...(accountId !== undefined && { accountId }), ...(state !== undefined && { state }) },
    order: { id: 'DESC' },
    take: limit,
  });
}

export async function findPayment(dataSource: DataSource, id: string): Promise<PaymentView | null> {
  return dataSource.getRepository(Payment).findOneBy({ id });
}

/**
 * Changes state, entry and balance in one statement, so only one of several calls grants the credits.
 * @returns the new balance; null, without a change, if the payment is not open
 */
export async function settlePaymentAndGrantCredits(
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

/** @returns false, without a change, if the payment is not open */
export async function declinePayment(
  dataSource: DataSource,
  id: string,
  reference: string | null = null,
): Promise<boolean> {
  const declined = await dataSource
    .getRepository(Payment)
    .update(
      { id, state: 'requested' },
      { state: 'declined', endedAt: () => 'now()', ...(reference !== null && { reference }) },
    );
  return declined.affected === 1;
}

/** A declined card is not retried with every request. */
const DECLINE_PAUSE_SECONDS = 3600;

/**
 * Claims a new payment, or the open one if it was not requested within the last `claimTimeoutSeconds`,
 * because its process may have died. An account never has two open payments. Locks the account row first, so
 * that a job that saw an empty balance and arrives after the credits finds them.
 * @returns undefined if nothing is to be requested: just requested or declined, credits available, or
 * auto-recharge off
 */
export async function openOrClaimRechargePayment(
  dataSource: DataSource,
  accountId: string,
  claimTimeoutSeconds: number,
): Promise<{ id: string; credits: number } | undefined> {
  const [claimed] = await queryRows<{ id: string; credits: number }>(
    dataSource,
    `WITH holder AS (
       SELECT id, balance FROM account WHERE id = $1 FOR NO KEY UPDATE
     ), again AS (
       UPDATE payment SET asked_at = now() FROM holder
       WHERE account_id = holder.id AND state = 'requested' AND asked_at < now() - make_interval(secs => $3)
       RETURNING payment.id, credits
     ), opened AS (
       INSERT INTO payment (id, account_id, credits)
       SELECT $2, account_id, credits FROM holder JOIN auto_recharge AS wanted ON account_id = holder.id
       WHERE balance < below AND NOT EXISTS (
         SELECT FROM payment WHERE account_id = $1 AND state = 'declined'
           AND ended_at > GREATEST(now() - make_interval(secs => ${DECLINE_PAUSE_SECONDS}), wanted.changed_at))
       ON CONFLICT (account_id) WHERE state = 'requested' DO NOTHING
       RETURNING id, credits
     )
     SELECT * FROM again UNION ALL SELECT * FROM opened`,
    [accountId, uuidv7(), claimTimeoutSeconds],
  );
  return claimed;
}

export async function savePaymentReference(
  dataSource: DataSource,
  id: string,
  reference: string | null,
): Promise<void> {
  if (reference !== null) await dataSource.getRepository(Payment).update({ id }, { reference });
}
