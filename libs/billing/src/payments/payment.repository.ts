import {
  CreditEntry,
  inTransaction,
  Payment,
  type PaymentKind,
  type PaymentProvider,
  type PaymentState,
  queryRows,
} from '@app/database';
import { type DataSource, type EntityManager, LessThan } from 'typeorm';
import { collectOwedCredits } from '../owed-credits.repository.js';
import { pauseRecharge, resumeRecharge } from './auto-recharge.repository.js';

export type StoredPayment = Omit<Payment, 'account'>;

export interface PaymentFilter {
  accountId?: string;
  state?: PaymentState;
  /** Id of a payment: only older ones. */
  before?: string;
  limit: number;
}

/** Newest first. */
export async function listPayments(
  dataSource: DataSource,
  { accountId, state, before, limit }: PaymentFilter,
): Promise<StoredPayment[]> {
  return dataSource.getRepository(Payment).find({
    where: {
      ...(accountId !== undefined && { accountId }),
      ...(state !== undefined && { state }),
      ...(before !== undefined && { id: LessThan(before) }),
    },
    order: { id: 'DESC' },
    take: limit,
  });
}

export async function findPayment(db: DataSource | EntityManager, id: string): Promise<StoredPayment | null> {
  return db.getRepository(Payment).findOneBy({ id });
}

/** Every change of a payment's state locks its account first, so that claims of recharges see all or nothing. */
async function lockAccountOfPayment(tx: EntityManager, id: string): Promise<void> {
  await tx.query(
    'SELECT FROM account WHERE id = (SELECT account_id FROM payment WHERE id = $1) FOR NO KEY UPDATE',
    [id],
  );
}

/** Records who changed something, in the transaction of the change. */
export type ChangeAuditCallback<Change extends unknown[] = []> = (
  tx: EntityManager,
  ...change: Change
) => Promise<void>;

const recordNothing = () => Promise.resolve();

/**
 * Settles a payment that the operator has collected: only one of several calls grants the credits.
 * @returns the new balance; null, without a change, if the payment is not open, or a payment provider collects it
 */
export async function settleManualPaymentAndGrantCredits(
  dataSource: DataSource,
  id: string,
  record: ChangeAuditCallback = recordNothing,
): Promise<number | null> {
  return inTransaction(dataSource, async (tx) => {
    await lockAccountOfPayment(tx, id);
    const [settled] = await queryRows<SettledPayment>(
      tx,
      `UPDATE payment SET state = 'settled', ended_at = now() WHERE id = $1 AND state = 'requested'
         AND provider = 'manual'
       RETURNING id, account_id AS "accountId", credits`,
      [id],
    );
    if (!settled) return null;
    await record(tx);
    return grantPaidCredits(tx, settled);
  });
}

interface SettledPayment {
  id: string;
  accountId: string;
  credits: number;
}

export interface PaidDetails {
  reference: string | null;
  /** In the smallest unit of the currency; by default as requested. */
  amount?: number;
  currency?: string;
  receiptUrl?: string | null;
}

/**
 * Settles a payment that the provider reports as paid, also if it ended otherwise here. Its account must exist.
 * @returns the new balance; null, without a change, if the payment was settled before
 */
export async function settleProviderPaymentAndGrantCredits(
  tx: EntityManager,
  id: string,
  { reference, amount, currency, receiptUrl }: PaidDetails,
): Promise<number | null> {
  await lockAccountOfPayment(tx, id);
  const [settled] = await queryRows<SettledPayment & { kind: PaymentKind; resumes: boolean }>(
    tx,
    `UPDATE payment SET state = 'settled', ended_at = now(), reference = COALESCE($2, payment.reference),
       amount = COALESCE($3, payment.amount), currency = COALESCE($4, payment.currency),
       receipt_url = COALESCE($5, payment.receipt_url), action_url = NULL, failure = NULL,
       version = payment.version + 1
     FROM payment AS before
     WHERE payment.id = $1 AND before.id = payment.id AND payment.state <> 'settled'
     RETURNING payment.id, payment.account_id AS "accountId", payment.credits, before.checkout_id IS NOT NULL AS resumes`,
    [id, reference, amount ?? null, currency ?? null, receiptUrl ?? null],
  );
  if (!settled) return null;
  // The owner of the card was there, so that the next recharge can be charged again.
  if (settled.resumes) await resumeRecharge(tx, settled);
  return grantPaidCredits(tx, settled);
}

async function grantPaidCredits(
  tx: EntityManager,
  { id: paymentId, accountId, credits }: SettledPayment,
): Promise<number> {
  await tx.insert(CreditEntry, { accountId, kind: 'grant', amount: credits, paymentId, note: 'payment' });
  await tx.query('UPDATE account SET balance = balance + $2 WHERE id = $1', [accountId, credits]);
  return collectOwedCredits(tx, accountId);
}

/** After so many, auto-recharge is paused. */
const MAX_DECLINES_IN_A_ROW = 3;

export interface DeclineDetails {
  reference?: string | null;
  failure?: string | null;
  /** The same card will not work later either. */
  isFinal?: boolean;
}

/** @returns false, without a change, if the payment is not open */
export async function declinePayment(
  dataSource: DataSource,
  id: string,
  { reference = null, failure = null, isFinal = false }: DeclineDetails = {},
  record: ChangeAuditCallback = recordNothing,
): Promise<boolean> {
  return inTransaction(dataSource, async (tx) => {
    await lockAccountOfPayment(tx, id);
    const [declined] = await queryRows<{ accountId: string; provider: PaymentProvider }>(
      tx,
      `UPDATE payment SET state = 'declined', ended_at = now(), failure = $3, reference = COALESCE($2, reference)
       WHERE id = $1 AND state = 'requested' RETURNING account_id AS "accountId", provider`,
      [id, reference, failure],
    );
    if (!declined) return false;
    const { accountId, provider } = declined;
    if (provider !== 'manual' && (isFinal || (await countDeclines(tx, accountId)) >= MAX_DECLINES_IN_A_ROW))
      await pauseRecharge(tx, accountId, 'declined');
    await record(tx);
    return true;
  });
}

/**
 * Ends a payment of a checkout page about which nobody can ask Stripe any more.
 * @returns false, without a change, if the payment has no such page or has ended
 */
export async function expireUnreachablePayment(
  dataSource: DataSource,
  id: string,
  record: ChangeAuditCallback = recordNothing,
): Promise<boolean> {
  return inTransaction(dataSource, async (tx) => {
    await lockAccountOfPayment(tx, id);
    const expired = await queryRows(
      tx,
      `UPDATE payment SET state = 'expired', ended_at = now(), action_url = NULL
       WHERE id = $1 AND state IN ('checkout', 'action_required') RETURNING id`,
      [id],
    );
    if (expired.length === 0) return false;
    await record(tx);
    return true;
  });
}

/** Recharges that were declined since the last one that was paid, or since the settings changed. */
async function countDeclines(tx: EntityManager, accountId: string): Promise<number> {
  const [counted] = await queryRows<{ declines: number }>(
    tx,
    `SELECT count(*)::int AS declines FROM payment
     WHERE account_id = $1 AND kind = 'recharge' AND state = 'declined' AND ended_at > GREATEST(
       (SELECT max(ended_at) FROM payment WHERE account_id = $1 AND state = 'settled'),
       (SELECT changed_at FROM auto_recharge WHERE account_id = $1))`,
    [accountId],
  );
  return counted?.declines ?? 0;
}

/** Pauses auto-recharge until the owner of the card has completed the payment. @returns false if it is not open */
export async function markActionRequiredAndPauseRecharge(
  dataSource: DataSource,
  id: string,
  { reference, checkoutId, actionUrl }: { reference: string | null; checkoutId: string; actionUrl: string },
): Promise<boolean> {
  return inTransaction(dataSource, async (tx) => {
    await lockAccountOfPayment(tx, id);
    const [changed] = await queryRows<{ accountId: string }>(
      tx,
      `UPDATE payment SET state = 'action_required', reference = $2, checkout_id = $3, action_url = $4,
         failure = 'authentication_required'
       WHERE id = $1 AND state = 'requested' RETURNING account_id AS "accountId"`,
      [id, reference, checkoutId, actionUrl],
    );
    if (changed) await pauseRecharge(tx, changed.accountId, 'authentication_required');
    return changed !== undefined;
  });
}

export async function savePaymentReference(
  dataSource: DataSource,
  id: string,
  reference: string | null,
): Promise<void> {
  if (reference !== null) await dataSource.getRepository(Payment).update({ id }, { reference });
}
