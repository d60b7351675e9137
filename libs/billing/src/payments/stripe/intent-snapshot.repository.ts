import { inTransaction, lockAccountRow, Payment, PaymentProviderEvent, queryRows } from '@app/database';
import { type DataSource, type EntityManager, IsNull, MoreThan, Not } from 'typeorm';
import { reverseOrReturnCredits } from '../../owed-credits.repository.js';
import { pauseRecharge } from '../auto-recharge.repository.js';
import {
  findPayment,
  type StoredPayment,
  settleProviderPaymentAndGrantCredits,
} from '../payment.repository.js';
import type { DisputeSnapshot, IntentSnapshot } from './intent-snapshot.js';
import { saveCard } from './stripe-customer.repository.js';

export interface ProviderEvent {
  id: string;
  type: string;
  createdAt: Date;
}

/**
 * `outdated`: the payment changed after the snapshot was taken, so nothing was written. `duplicate`: the event was
 * applied before. `other_intent`: the payment was settled by another intent.
 */
export type ApplySnapshotResult = 'applied' | 'outdated' | 'duplicate' | 'other_intent';

/**
 * Applies a snapshot together with the event that it was taken for.
 * @param payment as it was read before the snapshot was taken
 */
export async function applyIntentToPaymentAndCredits(
  dataSource: DataSource,
  payment: StoredPayment,
  snapshot: IntentSnapshot,
  event: ProviderEvent | null,
): Promise<ApplySnapshotResult> {
  return inTransaction(dataSource, async (tx) => {
    await lockAccountRow(tx, payment.accountId);
    const current = await findPayment(tx, payment.id);
    if (current?.version !== payment.version) return 'outdated';
    if (event && !(await insertPaymentEventIfNew(tx, event, payment.id))) return 'duplicate';
    if (!snapshot.isPaid) return 'applied';
    if (current.state === 'settled' && current.reference !== null && current.reference !== snapshot.id)
      return 'other_intent';
    await settle(tx, current, snapshot);
    await saveDisputes(tx, current, snapshot.disputes);
    await reverse(tx, current, snapshot);
    return 'applied';
  });
}

/** An event that changes nothing. @returns false if it was inserted before */
export async function insertPaymentEventIfNew(
  db: DataSource | EntityManager,
  { id, type, createdAt }: ProviderEvent,
  paymentId: string | null,
): Promise<boolean> {
  const inserted = await queryRows(
    db,
    `INSERT INTO payment_event (id, type, payment_id, created_at) VALUES ($1, $2, $3, $4)
     ON CONFLICT (id) DO NOTHING RETURNING id`,
    [id, type, paymentId, createdAt],
  );
  return inserted.length === 1;
}

export async function isEventApplied(dataSource: DataSource, id: string): Promise<boolean> {
  return dataSource.getRepository(PaymentProviderEvent).existsBy({ id });
}

async function settle(
  tx: EntityManager,
  { id, accountId }: StoredPayment,
  snapshot: IntentSnapshot,
): Promise<void> {
  const { id: reference, amount, currency, receiptUrl, card } = snapshot;
  const balance = await settleProviderPaymentAndGrantCredits(tx, id, {
    reference,
    amount,
    currency,
    receiptUrl,
  });
  // An older payment may be reported again, or for the first time, after a newer one saved its card.
  if (balance !== null && card && !(await hasNewerCheckoutBeenPaid(tx, accountId, id)))
    await saveCard(tx, accountId, card);
}

/** A checkout page saves the card. A top-up that a restored database lacked has no checkout session here. */
async function hasNewerCheckoutBeenPaid(tx: EntityManager, accountId: string, id: string): Promise<boolean> {
  const newer = { accountId, id: MoreThan(id), state: 'settled' } as const;
  return tx.existsBy(Payment, [
    { ...newer, kind: 'top_up' },
    { ...newer, checkoutId: Not(IsNull()) },
  ]);
}

async function saveDisputes(
  tx: EntityManager,
  { id: paymentId, accountId }: StoredPayment,
  disputes: readonly DisputeSnapshot[],
): Promise<void> {
  for (const { id, amount, currency, reason, status, createdAt } of disputes) {
    const [saved] = await queryRows<{ earlierStatus: string | null }>(
      tx,
      `WITH earlier AS (SELECT status FROM payment_dispute WHERE id = $1)
       INSERT INTO payment_dispute (id, account_id, payment_id, amount, currency, reason, status, created_at, closed_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, CASE WHEN $9 THEN now() END)
       ON CONFLICT (id) DO UPDATE SET amount = excluded.amount, reason = excluded.reason, status = excluded.status,
         closed_at = CASE WHEN $9 THEN COALESCE(payment_dispute.closed_at, now()) END
       RETURNING (SELECT status FROM earlier) AS "earlierStatus"`,
      [id, accountId, paymentId, amount, currency, reason, status, createdAt, isDisputeClosed(status)],
    );
    // Once: later events about the dispute must not pause what its owner has resumed.
    if (status === 'lost' && saved?.earlierStatus !== 'lost')
      await pauseRecharge(tx, accountId, 'dispute_lost');
  }
}

const CLOSED_DISPUTE_STATES = new Set(['won', 'lost', 'warning_closed', 'prevented']);

function isDisputeClosed(status: string): boolean {
  return CLOSED_DISPUTE_STATES.has(status);
}

/** Takes back the credits of the refunded and lost part, or returns those of which that is no longer true. */
async function reverse(
  tx: EntityManager,
  { id, accountId, credits, reversedCredits, reference }: StoredPayment,
  { id: snapshotId, amount, refundedAmount, receiptUrl, disputes }: IntentSnapshot,
): Promise<void> {
  const lost = disputes.filter(({ status }) => status === 'lost');
  const lostAmount = lost.reduce((sum, dispute) => sum + dispute.amount, 0);
  const reversed = computeReversedCredits(credits, amount, refundedAmount + lostAmount);
  if (reversed !== reversedCredits)
    await reverseOrReturnCredits(tx, { accountId, paymentId: id, credits: reversed - reversedCredits });
  await tx.update(
    Payment,
    { id },
    {
      refundedAmount,
      reversedCredits: reversed,
      ...(reference === null && { reference: snapshotId }),
      ...(receiptUrl !== null && { receiptUrl }),
      version: () => 'version + 1',
    },
  );
}

/** In proportion to the amount, rounded down; never more than all. */
export function computeReversedCredits(credits: number, amount: number, reversedAmount: number): number {
  if (amount <= 0 || reversedAmount >= amount) return reversedAmount > 0 ? credits : 0;
  return Number((BigInt(credits) * BigInt(reversedAmount)) / BigInt(amount));
}
