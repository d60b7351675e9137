import type Stripe from 'stripe';
import type { DataSource } from 'typeorm';
import type { ChargeRequest, ChargeResult, PaymentPort } from '../payment-port.js';
import { CreditPriceList } from '../credit-price-list.js';
import { createCheckoutSession, formatCreditCount } from './checkout-session.js';
import { buildPaymentIntentMetadata } from './intent-metadata.js';
import {
  getIdOfStripeReference,
  isReplayedForIdempotencyKey,
  type StripeFailure,
  toStripeFailure,
} from './stripe-client.js';
import { findStoredStripeCustomer } from './stripe-customer.repository.js';
import type { StripeOptions } from './stripe-options.js';

/** Stripe keeps idempotency keys for at least 24 hours; afterwards a repeated request would charge again. */
const REPEATABLE_MS = 20 * 3600 * 1000;
/**
 * Stripe also repeats the response of a request that failed there. After this time, a charge that Stripe does not know counts as
 * declined; if it is reported later nevertheless, its credits are granted.
 */
const UNKNOWN_CHARGE_MS = 15 * 60 * 1000;
/** Clocks differ. */
const CLOCK_MARGIN_SECONDS = 3600;
/** The same card will never work. */
const FINAL_DECLINE_CODES = new Set([
  'expired_card',
  'invalid_account',
  'lost_card',
  'pickup_card',
  'restricted_card',
  'revocation_of_all_authorizations',
  'revocation_of_authorization',
  'stolen_card',
  'stop_payment_order',
]);

/** Charges the saved card of an account without its owner. */
export class StripeSavedCardCharger implements PaymentPort {
  readonly provider = 'stripe';
  readonly prices: CreditPriceList;

  constructor(
    private readonly dataSource: DataSource,
    private readonly loadStripe: () => Promise<Stripe>,
    private readonly options: StripeOptions,
  ) {
    this.prices = new CreditPriceList(options);
  }

  async charge(request: ChargeRequest, signal: AbortSignal): Promise<ChargeResult> {
    const customer = await findStoredStripeCustomer(this.dataSource, request.accountId);
    if (!customer) return declined('no_saved_card');
    const stripe = await this.loadStripe();
    signal.throwIfAborted();
    const { customerId, paymentMethodId } = customer;
    const isRepeatable = Date.now() - request.createdAt.getTime() < REPEATABLE_MS;
    if (paymentMethodId === null || !isRepeatable || !request.isRechargeAllowed)
      return (
        (await this.findResult(stripe, request, customerId)) ??
        declined(paymentMethodId === null ? 'no_saved_card' : 'not_charged')
      );
    try {
      const intent = await stripe.paymentIntents.create(
        {
          amount: request.amount ?? this.prices.computeAmount(request.credits),
          currency: request.currency ?? this.prices.currency,
          customer: customerId,
          payment_method: paymentMethodId,
          allowed_payment_method_types: ['card'],
          off_session: true,
          confirm: true,
          description: formatCreditCount(request.credits),
          metadata: buildPaymentIntentMetadata({ ...request, kind: 'recharge' }),
          expand: ['latest_charge'],
        },
        { idempotencyKey: request.paymentId },
      );
      // The stored response of the first request does not say what has become of it.
      const isOver = intent.status !== 'processing';
      return await this.toResult(stripe, request, isOver ? intent : await retrieveCharge(stripe, intent.id));
    } catch (error) {
      return this.toResultOfFailure(stripe, request, customerId, error);
    }
  }

  private async toResultOfFailure(
    stripe: Stripe,
    request: ChargeRequest,
    customerId: string,
    error: unknown,
  ): Promise<ChargeResult> {
    const failure = toStripeFailure(error);
    if (failure?.type === 'card_error') return this.toResultOfCardError(stripe, request, failure);
    if (failure && isReplayedForIdempotencyKey(failure)) {
      const result = await this.findResult(stripe, request, customerId);
      if (result) return result;
      if (Date.now() - request.createdAt.getTime() > UNKNOWN_CHARGE_MS) return declined('not_charged');
    }
    // For example the card was removed in the dashboard, or the amount is below the minimum.
    if (failure?.type === 'invalid_request_error' && [400, 404].includes(failure.statusCode ?? 0))
      return declined(failure.code ?? failure.type, true);
    throw error;
  }

  private async toResultOfCardError(
    stripe: Stripe,
    request: ChargeRequest,
    failure: StripeFailure,
  ): Promise<ChargeResult> {
    const { code, decline_code, advice_code, payment_intent: intent } = failure;
    if (intent && (code === 'authentication_required' || decline_code === 'authentication_required'))
      return this.requireAction(stripe, request, intent);
    const reason = decline_code ?? code ?? 'card_declined';
    const isFinal = advice_code === 'do_not_try_again' || FINAL_DECLINE_CODES.has(reason);
    return { state: 'declined', reference: intent?.id ?? null, failure: reason, isFinal };
  }

  private async toResult(
    stripe: Stripe,
    request: ChargeRequest,
    intent: Stripe.PaymentIntent,
  ): Promise<ChargeResult> {
    const { id: reference, status, last_payment_error: error, latest_charge: charge } = intent;
    if (status === 'succeeded')
      return {
        state: 'paid',
        reference,
        receiptUrl: typeof charge === 'object' ? (charge?.receipt_url ?? null) : null,
      };
    if (status === 'processing') return { state: 'pending', reference };
    if (status === 'requires_action' || isAuthenticationError(error))
      return this.requireAction(stripe, request, intent);
    return { state: 'declined', reference, failure: error?.decline_code ?? error?.code ?? status };
  }

  /**
   * The owner of the card pays on a checkout page instead. The intent ends first, because it could be paid, too. Each
   * step may be repeated.
   */
  private async requireAction(
    stripe: Stripe,
    request: ChargeRequest,
    { id, amount, currency, customer }: Stripe.PaymentIntent,
  ): Promise<ChargeResult> {
    const ended = await cancelIntent(stripe, id);
    if (ended.status === 'succeeded' || ended.status === 'processing')
      return this.toResult(stripe, request, ended);
    const { paymentId, accountId, credits } = request;
    const customerId = getIdOfStripeReference(customer) ?? '';
    const checkout = await createCheckoutSession(
      stripe,
      { paymentId, accountId, customerId, credits, kind: 'recharge', amount, currency },
      this.options,
    );
    return { state: 'action_required', reference: id, ...checkout };
  }

  /** Result of an earlier request; null if it did not reach Stripe. */
  private async findResult(
    stripe: Stripe,
    request: ChargeRequest,
    customerId: string,
  ): Promise<ChargeResult | null> {
    const since = Math.floor(request.createdAt.getTime() / 1000) - CLOCK_MARGIN_SECONDS;
    const intents = stripe.paymentIntents.list({
      customer: customerId,
      created: { gte: since },
      limit: 100,
      expand: ['data.latest_charge'],
    });
    for await (const intent of intents)
      if (intent.metadata['payment_id'] === request.paymentId) return this.toResult(stripe, request, intent);
    return null;
  }
}

function declined(failure: string, isFinal = false): ChargeResult {
  return { state: 'declined', reference: null, failure, isFinal };
}

function isAuthenticationError(error: Stripe.PaymentIntent['last_payment_error']): boolean {
  return [error?.code, error?.decline_code].includes('authentication_required');
}

/** @returns the intent, cancelled, or as it is if it ended otherwise */
async function cancelIntent(stripe: Stripe, id: string): Promise<Stripe.PaymentIntent> {
  try {
    return await stripe.paymentIntents.cancel(id);
  } catch (error) {
    if (toStripeFailure(error)?.code !== 'payment_intent_unexpected_state') throw error;
    return retrieveCharge(stripe, id);
  }
}

function retrieveCharge(stripe: Stripe, id: string): Promise<Stripe.PaymentIntent> {
  return stripe.paymentIntents.retrieve(id, { expand: ['latest_charge'] });
}
