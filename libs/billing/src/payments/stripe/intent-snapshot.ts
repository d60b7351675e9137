import type Stripe from 'stripe';
import { getIdOfStripeReference } from './stripe-client.js';
import type { SavedCard } from './stripe-customer.repository.js';

/** What Stripe knows about a payment intent at one moment. */
export interface IntentSnapshot {
  id: string;
  isPaid: boolean;
  /** In the smallest unit of the currency. */
  amount: number;
  currency: string;
  receiptUrl: string | null;
  /** If it may be charged later. */
  card: SavedCard | null;
  /** Includes refunds that are on their way. */
  refundedAmount: number;
  disputes: DisputeSnapshot[];
}

export interface DisputeSnapshot {
  id: string;
  amount: number;
  currency: string;
  reason: string;
  status: string;
  createdAt: Date;
}

const EXPANDED = ['latest_charge', 'payment_method'];
const UNSUCCESSFUL_REFUND_STATUSES = new Set(['failed', 'canceled']);

export function retrieveExpandedPaymentIntent(
  stripe: Stripe,
  intentId: string,
): Promise<Stripe.PaymentIntent> {
  return stripe.paymentIntents.retrieve(intentId, { expand: EXPANDED });
}

/** @param intent of `retrieveExpandedPaymentIntent` */
export async function toIntentSnapshotFetchingRefunds(
  stripe: Stripe,
  intent: Stripe.PaymentIntent,
): Promise<IntentSnapshot> {
  const { id, status, amount_received: amount, currency, latest_charge } = intent;
  const charge = typeof latest_charge === 'object' ? latest_charge : null;
  const isPaid = status === 'succeeded';
  return {
    id,
    isPaid,
    amount,
    currency,
    receiptUrl: charge?.receipt_url ?? null,
    card: isPaid ? findReusableCard(intent) : null,
    refundedAmount: isPaid ? await sumRefunds(stripe, id) : 0,
    disputes: charge?.disputed === true ? await fetchDisputeSnapshots(stripe, id) : [],
  };
}

function findReusableCard({
  payment_method: method,
  setup_future_usage,
  customer,
}: Stripe.PaymentIntent): SavedCard | null {
  if (setup_future_usage !== 'off_session' || typeof method !== 'object' || method === null) return null;
  // A card that was removed has no customer, and can never be charged again.
  const customerId = getIdOfStripeReference(method.customer);
  if (customerId === null || customerId !== getIdOfStripeReference(customer)) return null;
  const { id: paymentMethodId, card } = method;
  const expires = card && `${card.exp_year}-${String(card.exp_month).padStart(2, '0')}`;
  return {
    customerId,
    paymentMethodId,
    brand: card?.brand ?? null,
    last4: card?.last4 ?? null,
    expires: expires ?? null,
  };
}

async function sumRefunds(stripe: Stripe, intentId: string): Promise<number> {
  let sum = 0;
  for await (const { amount, status } of stripe.refunds.list({ payment_intent: intentId, limit: 100 }))
    if (!UNSUCCESSFUL_REFUND_STATUSES.has(status ?? '')) sum += amount;
  return sum;
}

async function fetchDisputeSnapshots(stripe: Stripe, intentId: string): Promise<DisputeSnapshot[]> {
  const disputes: DisputeSnapshot[] = [];
  for await (const dispute of stripe.disputes.list({ payment_intent: intentId, limit: 100 })) {
    const { id, amount, currency, reason, status, created } = dispute;
    disputes.push({ id, amount, currency, reason, status, createdAt: new Date(created * 1000) });
  }
  return disputes;
}
