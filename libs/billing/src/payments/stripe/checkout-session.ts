import type Stripe from 'stripe';
import type { StripeOptions } from './stripe-options.js';

export interface CheckoutRequest {
  paymentId: string;
  accountId: string;
  customerId: string;
  credits: number;
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
  { paymentId, accountId, customerId, credits, amount, currency }: CheckoutRequest,
  { returnUrl, checkoutHost }: Pick<StripeOptions, 'returnUrl' | 'checkoutHost'>,
): Promise<{ checkoutId: string; actionUrl: string }> {
  const metadata = buildPaymentMetadata(paymentId, accountId);
  const description = formatCreditCount(credits);
  const session = await stripe.checkout.sessions.create(
    {
      mode: 'payment',
      customer: customerId,
      client_reference_id: paymentId,
      allowed_payment_method_types: ['card'],
      // The amount that is paid must be the one that was asked for.
      adaptive_pricing: { enabled: false },
      line_items: [
        { quantity: 1, price_data: { currency, unit_amount: amount, product_data: { name: description } } },
      ],
      payment_intent_data: { setup_future_usage: 'off_session', description, metadata },
      metadata,
      success_url: addToQuery(returnUrl, { payment: paymentId, result: 'paid' }),
      cancel_url: addToQuery(returnUrl, { payment: paymentId, result: 'cancelled' }),
    },
    { idempotencyKey: `checkout-${paymentId}` },
  );
  if (session.url === null) throw new Error(`The checkout session ${session.id} has no URL.`);
  const { host } = new URL(session.url);
  if (host !== checkoutHost)
    throw new Error(
      `The checkout page is at ${host}, not at ${checkoutHost}: set STRIPE_CHECKOUT_HOST if you use a domain of your own.`,
    );
  return { checkoutId: session.id, actionUrl: session.url };
}

/** By it, everything at Stripe is found to belong to a payment. */
export function buildPaymentMetadata(paymentId: string, accountId: string): Record<string, string> {
  return { payment_id: paymentId, account_id: accountId };
}

export function formatCreditCount(credits: number): string {
  return `${new Intl.NumberFormat('en').format(credits)} credits`;
}

function addToQuery(address: string, parameters: Record<string, string>): string {
  const url = new URL(address);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}
