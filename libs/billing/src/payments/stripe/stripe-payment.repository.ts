import { inTransaction, IS_INSTALLATION_HELD_SQL, lockAccountRow, Payment, queryRows } from '@app/database';
import type { DataSource, EntityManager } from 'typeorm';
import { IS_RECHARGE_ALLOWED_SQL } from '../auto-recharge.repository.js';
import type { StoredPayment } from '../payment.repository.js';
import type { PaymentIntentMetadata } from './intent-metadata.js';

export interface NewTopUp {
  id: string;
  accountId: string;
  credits: number;
  /** In the smallest unit of the currency. */
  amount: number;
  currency: string;
}

export async function insertTopUp(tx: EntityManager, topUp: NewTopUp): Promise<void> {
  await tx.insert(Payment, { ...topUp, kind: 'top_up', provider: 'stripe', state: 'checkout' });
}

export async function saveCheckout(
  dataSource: DataSource,
  id: string,
  { checkoutId, actionUrl }: { checkoutId: string; actionUrl: string },
): Promise<void> {
  await dataSource.getRepository(Payment).update({ id, state: 'checkout' }, { checkoutId, actionUrl });
}

/** Ends a payment whose checkout page cannot be used any more. @param checkoutId null if it was never created */
export async function expirePayment(
  dataSource: DataSource,
  id: string,
  checkoutId: string | null,
): Promise<void> {
  await inTransaction(dataSource, async (tx) => {
    const payment = await tx.getRepository(Payment).findOneBy({ id });
    if (!payment) return;
    await lockAccountRow(tx, payment.accountId);
    await tx.query(
      `UPDATE payment SET state = 'expired', ended_at = now(), action_url = NULL
       WHERE id = $1 AND state IN ('checkout', 'action_required') AND checkout_id IS NOT DISTINCT FROM $2`,
      [id, checkoutId],
    );
  });
}

/** What Stripe knows of a payment that a database lacks, because it was restored from a backup. */
export interface PaidIntentOfUnknownPayment extends PaymentIntentMetadata {
  /** In the smallest unit of the currency. */
  amount: number;
  currency: string;
  createdAt: Date;
}

/** Adds the row without its credits, which `settleProviderPaymentAndGrantCredits` grants. The account may not exist. */
export async function insertUnknownPayment(
  dataSource: DataSource,
  { paymentId, accountId, credits, kind, amount, currency, createdAt }: PaidIntentOfUnknownPayment,
): Promise<void> {
  await dataSource.query(
    `INSERT INTO payment (id, account_id, credits, kind, provider, state, amount, currency, created_at, ended_at)
     SELECT $1, id, $3, $4, 'stripe', 'expired', $5, $6, $7, now() FROM account WHERE id = $2
     ON CONFLICT (id) DO NOTHING`,
    [paymentId, accountId, credits, kind, amount, currency, createdAt],
  );
}

/** @param reference of a payment intent */
export async function findPaymentByIntentId(
  dataSource: DataSource,
  reference: string,
): Promise<StoredPayment | null> {
  return dataSource.getRepository(Payment).findOneBy({ provider: 'stripe', reference });
}

export interface UnfinishedPayment {
  payment: StoredPayment;
  /** Whether a recharge may be charged now. */
  isRechargeAllowed: boolean;
}

/**
 * Claims the payment without an end that was not looked at for longest; none while they are held.
 * @param exceptIds payments that the caller has looked at
 */
export async function claimUnfinishedPayment(
  dataSource: DataSource,
  { untouchedSeconds, exceptIds }: { untouchedSeconds: number; exceptIds: readonly string[] },
): Promise<UnfinishedPayment | null> {
  const [claimed] = await queryRows<{ id: string; isRechargeAllowed: boolean }>(
    dataSource,
    `UPDATE payment SET asked_at = now() WHERE id = (
       SELECT id FROM payment
       WHERE state IN ('checkout', 'requested', 'action_required') AND provider = 'stripe'
         AND asked_at < now() - make_interval(secs => $1) AND id <> ALL ($2::uuid[])
         AND NOT ${IS_INSTALLATION_HELD_SQL}
       ORDER BY asked_at LIMIT 1 FOR UPDATE SKIP LOCKED)
     RETURNING id, ${IS_RECHARGE_ALLOWED_SQL} AS "isRechargeAllowed"`,
    [untouchedSeconds, exceptIds],
  );
  if (!claimed) return null;
  const payment = await dataSource.getRepository(Payment).findOneByOrFail({ id: claimed.id });
  return { payment, isRechargeAllowed: claimed.isRechargeAllowed };
}
