import { randomBytes } from 'node:crypto';
import { invalidRequest, noSuch, StripeErrorAnswer } from './stripe-error.js';
import {
  type CardAnswer,
  type FakeCard,
  type StripeChargeObject,
  type StripeCustomerObject,
  type StripeIntentObject,
  type StripePaymentErrorObject,
  type StripePaymentMethodObject,
  WORKING_CARD,
} from './objects.js';
import { newId, now, StripeStore } from './stripe-store.js';

const MIN_AMOUNT = 50;

export interface NewIntent {
  amount: number;
  currency: string;
  customer: string | null;
  description?: string | null;
  metadata: Record<string, string>;
  setup_future_usage?: string | null;
}

/** Customers, their cards, and charges. Every change emits an event. */
export class StripeCharges extends StripeStore {
  private readonly cards = new Map<string, FakeCard>();
  private readonly detachedMethods = new Set<string>();

  createCustomer(name: string | null, metadata: Record<string, string>): StripeCustomerObject {
    const customer = { id: newId('cus'), object: 'customer' as const, created: now(), name, metadata };
    this.customers.set(customer.id, customer);
    this.emit('customer.created', customer);
    return customer;
  }

  createPaymentMethod(customer: string | null, card: FakeCard = WORKING_CARD): StripePaymentMethodObject {
    const { last4 = '4242' } = card;
    const method = {
      id: newId('pm'),
      object: 'payment_method' as const,
      created: now(),
      type: 'card' as const,
      customer,
      card: { brand: 'visa', last4, exp_month: 4, exp_year: 2034 },
    };
    this.paymentMethods.set(method.id, method);
    this.cards.set(method.id, card);
    if (customer !== null) this.emit('payment_method.attached', method);
    return method;
  }

  /** The method can never be used again. @throws StripeErrorAnswer if it has no customer */
  detachPaymentMethod(id: string): StripePaymentMethodObject {
    const method = this.require(this.paymentMethods, 'PaymentMethod', id);
    if (method.customer === null)
      throw invalidRequest(
        'The payment method you provided is not attached to a customer so detachment is impossible.',
      );
    method.customer = null;
    this.detachedMethods.add(id);
    this.emit('payment_method.detached', method);
    return method;
  }

  /** Changes how the bank reacts to charges. */
  setCard(paymentMethod: string, card: Partial<FakeCard>): void {
    this.cards.set(paymentMethod, { ...WORKING_CARD, ...this.cards.get(paymentMethod), ...card });
  }

  createIntent(wanted: NewIntent): StripeIntentObject {
    if (wanted.amount < MIN_AMOUNT)
      throw invalidRequest('Amount must be at least $0.50 usd', 'amount_too_small', 'amount');
    const id = newId('pi');
    const intent: StripeIntentObject = {
      id,
      object: 'payment_intent',
      created: now(),
      description: null,
      setup_future_usage: null,
      ...wanted,
      amount_received: 0,
      payment_method: null,
      latest_charge: null,
      cancellation_reason: null,
      last_payment_error: null,
      status: 'requires_payment_method',
      client_secret: `${id}_secret_${randomBytes(8).toString('hex')}`,
    };
    this.intents.set(id, intent);
    this.emit('payment_intent.created', intent);
    return intent;
  }

  /** @throws StripeErrorAnswer `card_error` with the intent, if the card is declined */
  confirmIntent(intent: StripeIntentObject, paymentMethod: string, session: 'on' | 'off'): void {
    const method = this.paymentMethods.get(paymentMethod);
    if (!method) throw noSuch('PaymentMethod', paymentMethod, 'payment_method');
    if (this.detachedMethods.has(paymentMethod))
      throw invalidRequest(
        'The provided PaymentMethod was detached from a Customer. It may not be used again.',
      );
    if (method.customer !== null && method.customer !== intent.customer)
      throw invalidRequest('The provided PaymentMethod belongs to another Customer.', undefined, 'customer');
    const card = this.cards.get(paymentMethod) ?? WORKING_CARD;
    const answer = session === 'on' ? card.onSession : card.offSession;
    const charge = this.addCharge(intent, paymentMethod, answer);
    intent.latest_charge = charge.id;
    if (answer !== 'succeeds') this.failIntent(intent, answer, charge);
    intent.payment_method = paymentMethod;
    intent.status = 'succeeded';
    intent.amount_received = intent.amount;
    intent.last_payment_error = null;
    this.emit('charge.succeeded', charge);
    this.emit('payment_intent.succeeded', intent);
  }

  cancelIntent(intent: StripeIntentObject): void {
    if (intent.status !== 'requires_payment_method')
      throw new StripeErrorAnswer(400, {
        type: 'invalid_request_error',
        code: 'payment_intent_unexpected_state',
        message: `You cannot cancel this PaymentIntent because it has a status of ${intent.status}.`,
        payment_intent: intent,
      });
    intent.status = 'canceled';
    this.emit('payment_intent.canceled', intent);
  }

  private addCharge(
    intent: StripeIntentObject,
    paymentMethod: string,
    answer: CardAnswer,
  ): StripeChargeObject {
    const id = newId('ch');
    const paid = answer === 'succeeds';
    const charge: StripeChargeObject = {
      id,
      object: 'charge',
      created: now(),
      amount: intent.amount,
      amount_refunded: 0,
      currency: intent.currency,
      customer: intent.customer,
      disputed: false,
      metadata: { ...intent.metadata },
      payment_intent: intent.id,
      payment_method: paymentMethod,
      paid,
      receipt_url: paid ? `${this.pagesUrl}/receipts/${id}` : null,
      refunded: false,
      status: paid ? 'succeeded' : 'failed',
    };
    this.charges.set(id, charge);
    return charge;
  }

  private failIntent(
    intent: StripeIntentObject,
    answer: Exclude<CardAnswer, 'succeeds'>,
    charge: StripeChargeObject,
  ): never {
    const error = toPaymentError(answer);
    intent.last_payment_error = error;
    intent.payment_method = null;
    intent.status = 'requires_payment_method';
    this.emit('charge.failed', charge);
    this.emit('payment_intent.payment_failed', intent);
    throw new StripeErrorAnswer(402, {
      ...error,
      charge: charge.id,
      payment_intent: structuredClone(intent),
    });
  }
}

function toPaymentError(answer: Exclude<CardAnswer, 'succeeds'>): StripePaymentErrorObject {
  if (answer === 'authentication_required')
    return {
      type: 'card_error',
      code: 'authentication_required',
      decline_code: 'authentication_required',
      message: 'Your card was declined. This transaction requires authentication.',
    };
  return {
    type: 'card_error',
    code: 'card_declined',
    decline_code: answer.decline,
    ...(answer.advice !== undefined && { advice_code: answer.advice }),
    message: 'Your card was declined.',
  };
}
