import type Stripe from 'stripe';
import { buildPaymentIntentMetadata, type PaymentIntentMetadata } from './intent-metadata.js';
import { withNewKeyAfterRepeatedFailure } from './stripe-client.js';
import type { StripeOptions } from './stripe-options.js';

export interface CheckoutRequest extends PaymentIntentMetadata {
  customerId: string;
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
      metadata: buildPaymentIntentMetadata({ paymentId, accountId, credits, kind }),
    },
    metadata,
    success_url: addToQuery(returnUrl, { payment: paymentId, result: 'paid' }),
    cancel_url: addToQuery(returnUrl, { payment: paymentId, result: 'cancelled' }),
  };
  // A new key may create a second page, but only one can be paid: nobody knows the URL of a page whose creation failed.
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

export function formatCreditCount(credits: number): string {
  return `${new Intl.NumberFormat('en').format(credits)} credits`;
}

function addToQuery(address: string, parameters: Record<string, string>): string {
  const url = new URL(address);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}
