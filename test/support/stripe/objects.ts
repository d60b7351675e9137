/** Objects of Stripe's API, with the fields that this project could read. */
export interface StripeCustomerObject {
  id: string;
  object: 'customer';
  created: number;
  name: string | null;
  metadata: Record<string, string>;
}

export interface StripePaymentMethodObject {
  id: string;
  object: 'payment_method';
  created: number;
  type: 'card';
  customer: string | null;
  card: { brand: string; last4: string; exp_month: number; exp_year: number };
}

export interface StripePaymentErrorObject {
  type: string;
  code: string;
  decline_code?: string;
  advice_code?: string;
  message: string;
}

export interface StripeIntentObject {
  id: string;
  object: 'payment_intent';
  created: number;
  amount: number;
  amount_received: number;
  currency: string;
  customer: string | null;
  description: string | null;
  metadata: Record<string, string>;
  payment_method: string | null;
  latest_charge: string | null;
  setup_future_usage: string | null;
  cancellation_reason: string | null;
  last_payment_error: StripePaymentErrorObject | null;
  status: 'requires_payment_method' | 'processing' | 'succeeded' | 'canceled';
  client_secret: string;
}

export interface StripeChargeObject {
  id: string;
  object: 'charge';
  created: number;
  amount: number;
  amount_refunded: number;
  currency: string;
  customer: string | null;
  disputed: boolean;
  metadata: Record<string, string>;
  payment_intent: string;
  payment_method: string | null;
  paid: boolean;
  receipt_url: string | null;
  refunded: boolean;
  status: 'succeeded' | 'failed';
}

export interface StripeSessionObject {
  id: string;
  object: 'checkout.session';
  created: number;
  amount_total: number;
  currency: string;
  client_reference_id: string | null;
  customer: string | null;
  expires_at: number;
  metadata: Record<string, string>;
  mode: 'payment';
  payment_intent: string | null;
  payment_status: 'unpaid' | 'paid';
  status: 'open' | 'complete' | 'expired';
  success_url: string;
  cancel_url: string | null;
  url: string | null;
}

export interface StripeRefundObject {
  id: string;
  object: 'refund';
  created: number;
  amount: number;
  charge: string;
  currency: string;
  metadata: Record<string, string>;
  payment_intent: string;
  status: 'pending' | 'succeeded' | 'failed' | 'canceled';
}

export type DisputeStatus =
  | 'warning_needs_response'
  | 'warning_under_review'
  | 'warning_closed'
  | 'needs_response'
  | 'under_review'
  | 'won'
  | 'lost';

export interface StripeDisputeObject {
  id: string;
  object: 'dispute';
  created: number;
  amount: number;
  charge: string;
  currency: string;
  metadata: Record<string, string>;
  payment_intent: string;
  reason: string;
  status: DisputeStatus;
}

export type StripeObject =
  | StripeCustomerObject
  | StripePaymentMethodObject
  | StripeIntentObject
  | StripeChargeObject
  | StripeSessionObject
  | StripeRefundObject
  | StripeDisputeObject;

export interface StripeEventObject {
  id: string;
  object: 'event';
  api_version: string;
  created: number;
  data: { object: StripeObject };
  livemode: false;
  pending_webhooks: number;
  request: { id: string | null; idempotency_key: string | null };
  type: string;
}

/** How the bank of a card reacts to a charge; `decline` is a decline code of Stripe. */
export type CardAnswer = 'succeeds' | 'authentication_required' | { decline: string; advice?: string };

export interface FakeCard {
  /** Charges while the owner is on the checkout page. */
  onSession: CardAnswer;
  /** Charges without the owner. */
  offSession: CardAnswer;
  last4?: string;
}

export const WORKING_CARD: FakeCard = { onSession: 'succeeds', offSession: 'succeeds' };
