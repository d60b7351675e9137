import type { PaymentKind } from '@app/database';
import type Stripe from 'stripe';
import { validate as isUuid } from 'uuid';

/** Says which payment an intent belongs to, also if a restored database does not have that payment. */
export interface PaymentIntentMetadata {
  paymentId: string;
  accountId: string;
  credits: number;
  kind: PaymentKind;
}

/** @returns the metadata as Stripe stores them */
export function buildPaymentIntentMetadata({ paymentId, accountId, credits, kind }: PaymentIntentMetadata) {
  return { payment_id: paymentId, account_id: accountId, credits: String(credits), kind };
}

/** @returns null unless the metadata are complete, and those of this service */
export function parsePaymentIntentMetadata(metadata: Stripe.Metadata): PaymentIntentMetadata | null {
  const { payment_id: paymentId = '', account_id: accountId = '', kind } = metadata;
  const credits = Number(metadata['credits']);
  if (!isUuid(paymentId) || !isUuid(accountId) || !Number.isSafeInteger(credits) || credits < 1) return null;
  return kind === 'recharge' || kind === 'top_up' ? { paymentId, accountId, credits, kind } : null;
}
