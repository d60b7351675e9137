import { invalidRequest, StripeErrorAnswer } from './stripe-error.js';
import {
  type DisputeStatus,
  type FakeCard,
  type StripeChargeObject,
  type StripeDisputeObject,
  type StripeRefundObject,
  type StripeSessionObject,
  WORKING_CARD,
} from './objects.js';
import { type NewIntent, StripeCharges } from './stripe-charges.js';
import { newId, now } from './stripe-store.js';

const CHECKOUT_SECONDS = 24 * 3600;
const MIN_AMOUNT = 50;

export interface NewSession {
  amount: number;
  currency: string;
  customer: string | null;
  client_reference_id: string | null;
  metadata: Record<string, string>;
  intent: Omit<NewIntent, 'amount' | 'currency' | 'customer'>;
  success_url: string;
  cancel_url: string | null;
}

/** All objects of Stripe: adds checkout pages, refunds and disputes. */
export class StripeState extends StripeCharges {
  private readonly intentsOfSessions = new Map<string, NewIntent>();

  createSession(wanted: NewSession): StripeSessionObject {
    const { amount, currency, customer, intent } = wanted;
    if (amount < MIN_AMOUNT)
      throw invalidRequest('The Checkout Session’s total amount is too small.', 'amount_too_small');
    const id = newId('cs_test');
    const session: StripeSessionObject = {
      id,
      object: 'checkout.session',
      created: now(),
      amount_total: amount,
      currency,
      client_reference_id: wanted.client_reference_id,
      customer,
      expires_at: now() + CHECKOUT_SECONDS,
      metadata: wanted.metadata,
      mode: 'payment',
      payment_intent: null,
      payment_status: 'unpaid',
      status: 'open',
      success_url: wanted.success_url,
      cancel_url: wanted.cancel_url,
      url: `${this.pagesUrl}/pay/${id}`,
    };
    this.sessions.set(id, session);
    this.intentsOfSessions.set(id, { amount, currency, customer, ...intent });
    return session;
  }

  /** The customer pays on the checkout page. @returns whether the bank accepted the card */
  payCheckout(id: string, card: FakeCard = WORKING_CARD): boolean {
    const session = this.require(this.sessions, 'checkout.session', id);
    if (session.status !== 'open') throw new Error(`The checkout session is ${session.status}.`);
    const wanted = this.intentsOfSessions.get(id);
    if (!wanted) throw new Error(`${id} has no intent.`);
    const intent =
      session.payment_intent === null ? this.createIntent(wanted) : this.getIntent(session.payment_intent);
    session.payment_intent = intent.id;
    const saves = intent.setup_future_usage === 'off_session';
    const method = this.createPaymentMethod(null, card);
    try {
      this.confirmIntent(intent, method.id, 'on');
    } catch (error) {
      if (error instanceof StripeErrorAnswer) return false;
      throw error;
    }
    if (saves) method.customer = intent.customer;
    Object.assign(session, { status: 'complete', payment_status: 'paid', url: null });
    this.emit('checkout.session.completed', session);
    return true;
  }

  expireCheckout(id: string): StripeSessionObject {
    const session = this.require(this.sessions, 'checkout.session', id);
    if (session.status !== 'open')
      throw invalidRequest(`Only Checkout Sessions with a status in ["open"] can be expired.`);
    Object.assign(session, { status: 'expired', url: null });
    this.emit('checkout.session.expired', session);
    return session;
  }

  createRefund(
    intentId: string,
    amount?: number,
    status: 'pending' | 'succeeded' = 'succeeded',
  ): StripeRefundObject {
    const charge = this.getPaidCharge(intentId);
    if (charge.disputed) throw invalidRequest('The charge has been charged back.', 'charge_disputed');
    const left = charge.amount - charge.amount_refunded;
    if (left <= 0) throw invalidRequest('The charge has already been refunded.', 'charge_already_refunded');
    if (amount !== undefined && amount > left)
      throw invalidRequest('Refund amount is greater than unrefunded amount on charge.');
    const refund: StripeRefundObject = {
      id: newId('re'),
      object: 'refund',
      created: now(),
      amount: amount ?? left,
      charge: charge.id,
      currency: charge.currency,
      metadata: {},
      payment_intent: intentId,
      status,
    };
    this.refunds.set(refund.id, refund);
    charge.amount_refunded += refund.amount;
    charge.refunded = charge.amount_refunded === charge.amount;
    this.emit('refund.created', refund);
    this.emit('charge.refunded', charge);
    return refund;
  }

  failRefund(id: string): void {
    const refund = this.require(this.refunds, 'refund', id);
    const charge = this.require(this.charges, 'charge', refund.charge);
    refund.status = 'failed';
    charge.amount_refunded -= refund.amount;
    charge.refunded = false;
    this.emit('refund.updated', refund);
    this.emit('refund.failed', refund);
  }

  openDispute(
    intentId: string,
    { amount, status = 'needs_response' }: { amount?: number; status?: DisputeStatus } = {},
  ) {
    const charge = this.getPaidCharge(intentId);
    const dispute: StripeDisputeObject = {
      id: newId('du'),
      object: 'dispute',
      created: now(),
      amount: amount ?? charge.amount,
      charge: charge.id,
      currency: charge.currency,
      metadata: {},
      payment_intent: intentId,
      reason: 'fraudulent',
      status,
    };
    charge.disputed = true;
    this.disputes.set(dispute.id, dispute);
    this.emit('charge.dispute.created', dispute);
    return dispute;
  }

  changeDispute(id: string, status: DisputeStatus): void {
    const dispute = this.require(this.disputes, 'dispute', id);
    dispute.status = status;
    const closed = ['won', 'lost', 'warning_closed'].includes(status);
    this.emit(closed ? 'charge.dispute.closed' : 'charge.dispute.updated', dispute);
  }

  private getPaidCharge(intentId: string): StripeChargeObject {
    const charge = this.charges.get(this.getIntent(intentId).latest_charge ?? '');
    if (charge?.status !== 'succeeded') throw invalidRequest('This PaymentIntent has no successful charge.');
    return charge;
  }
}
