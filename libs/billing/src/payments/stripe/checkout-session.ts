import type { PaymentKind } from '@app/database';
import type Stripe from 'stripe';
import { validate as isUuid } from 'uuid';
import { withNewKeyAfterRepeatedFailure } from './stripe-client.js';
import type { StripeOptions } from './stripe-options.js';

export interface CheckoutRequest {
  paymentId: string;
  accountId: string;
  customerId: string;
  credits: number;
  kind: PaymentKind;
  /** In the smallest unit of the currency. */
  amount: number;
  currency: string;
}

/**
 * Creates the page on which the customer pays, and which saves the card for later charges. A repeated request
 * returns the same page for a day.
 */
export async function createCheckoutSession(
  stripe: Stripe,
  { paymentId, accountId, customerId, credits, kind, amount, currency }: CheckoutRequest,
  { returnUrl, checkoutHost }: Pick<StripeOptions, 'returnUrl' | 'checkoutHost'>,
): Promise<{ checkoutId: string; actionUrl: string }> {
  const metadata = { payment_id: paymentId, account_id: accountId };
  const description = formatCreditCount(credits);
  const parameters: Stripe.Checkout.SessionCreateParams = {
    mode: 'payment',
    customer: customerId,
    client_reference_id: paymentId,
    allowed_payment_method_types: ['card'],
    // The amount that is paid must be the one that was asked for.
    adaptive_pricing: { enabled: false },
    line_items: [
      { quantity: 1, price_data: { currency, unit_amount: amount, product_data: { name: description } } },
    ],
    payment_intent_data: {
      setup_future_usage: 'off_session',
      description,
      metadata: buildIntentMetadata({ paymentId, accountId, credits, kind }),
    },
    metadata,
    success_url: addToQuery(returnUrl, { payment: paymentId, result: 'paid' }),
    cancel_url: addToQuery(returnUrl, { payment: paymentId, result: 'cancelled' }),
  };
  // The URL of a page whose creation failed is known to nobody, so that only one can be paid.
  const session = await withNewKeyAfterRepeatedFailure(`checkout-${paymentId}`, (idempotencyKey) =>
    stripe.checkout.sessions.create(parameters, { idempotencyKey }),
  );
  if (session.url === null) throw new Error(`The checkout session ${session.id} has no URL.`);
  const { host } = new URL(session.url);
  if (host !== checkoutHost)
    throw new Error(
      `The checkout page is at ${host}, not at ${checkoutHost}: set STRIPE_CHECKOUT_HOST if you use a domain of your own.`,
    );
  return { checkoutId: session.id, actionUrl: session.url };
}

export interface IntentPurpose {
  paymentId: string;
  accountId: string;
  credits: number;
  kind: PaymentKind;
}

/** By it, an intent is found to belong to a payment, also to one that a restored database does not have. */
export function buildIntentMetadata({ paymentId, accountId, credits, kind }: IntentPurpose) {
  return { payment_id: paymentId, account_id: accountId, credits: String(credits), kind };
}

/** @returns null unless the metadata are complete, and those of this service */
export function parseIntentMetadata(metadata: Stripe.Metadata): IntentPurpose | null {
  const { payment_id: paymentId = '', account_id: accountId = '', kind } = metadata;
  const credits = Number(metadata['credits']);
  if (!isUuid(paymentId) || !isUuid(accountId) || !Number.isSafeInteger(credits) || credits < 1) return null;
  return kind === 'recharge' || kind === 'top_up' ? { paymentId, accountId, credits, kind } : null;
}

export function formatCreditCount(credits: number): string {
  return `${new Intl.NumberFormat('en').format(credits)} credits`;
}

function addToQuery(address: string, parameters: Record<string, string>): string {
  const url = new URL(address);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}
