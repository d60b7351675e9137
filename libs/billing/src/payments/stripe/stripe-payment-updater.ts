import type Stripe from 'stripe';
import type { DataSource } from 'typeorm';
import { validate as isUuid } from 'uuid';
import { findPayment, type StoredPayment } from '../payment.repository.js';
import { parsePaymentIntentMetadata } from './intent-metadata.js';
import { getIdOfStripeReference } from './stripe-client.js';
import { expirePayment, findPaymentByIntentId, insertUnknownPayment } from './stripe-payment.repository.js';
import { toIntentSnapshotFetchingRefunds, retrieveExpandedPaymentIntent } from './intent-snapshot.js';
import {
  applyIntentToPaymentAndCredits,
  insertPaymentEventIfNew,
  isEventApplied,
  type ProviderEvent,
} from './intent-snapshot.repository.js';

export interface PaymentLogger {
  warn(message: string): void;
}

/** The events that change payments. */
export const STRIPE_EVENT_TYPES = [
  'checkout.session.completed',
  'checkout.session.expired',
  'payment_intent.succeeded',
  'refund.created',
  'refund.updated',
  'refund.failed',
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.closed',
];

/** Reads of an intent before an update fails, because other processes change the payment meanwhile. */
const MAX_READS = 10;

/** Brings payments to the state that Stripe reports. */
export class StripePaymentUpdater {
  /** Updates that this process runs, one at a time for each payment. */
  private readonly running = new Map<string, Promise<void>>();

  constructor(
    private readonly dataSource: DataSource,
    private readonly loadStripe: () => Promise<Stripe>,
    private readonly logger: PaymentLogger,
  ) {}

  /** Applies an event once. @throws what Stripe or the database throws; the event is then not applied */
  async applyEvent({ id, type, created, data }: Stripe.Event): Promise<void> {
    const subject = STRIPE_EVENT_TYPES.includes(type) ? findSubject(data.object) : null;
    if (!subject || (await isEventApplied(this.dataSource, id))) return;
    const event = { id, type, createdAt: new Date(created * 1000) };
    const payment = await this.findPaymentOf(subject);
    if (!payment) await insertPaymentEventIfNew(this.dataSource, event, null);
    else if (subject.intentId !== null) await this.applyIntent(payment, subject.intentId, event);
    else if (subject.checkoutId !== null) await this.applyCheckout(payment, subject.checkoutId, event);
    else await insertPaymentEventIfNew(this.dataSource, event, payment.id);
  }

  /** Asks Stripe about a payment that has a checkout session or an intent. */
  async refresh(payment: StoredPayment): Promise<void> {
    if (payment.checkoutId !== null) await this.applyCheckout(payment, payment.checkoutId, null);
    else if (payment.reference !== null) await this.applyIntent(payment, payment.reference, null);
  }

  private async applyCheckout(
    payment: StoredPayment,
    checkoutId: string,
    event: ProviderEvent | null,
  ): Promise<void> {
    const stripe = await this.loadStripe();
    const { status, payment_intent: intent } = await stripe.checkout.sessions.retrieve(checkoutId);
    const intentId = getIdOfStripeReference(intent);
    if (status === 'complete' && intentId !== null) return this.applyIntent(payment, intentId, event);
    if (status === 'expired') await expirePayment(this.dataSource, payment.id, checkoutId);
    if (event) await insertPaymentEventIfNew(this.dataSource, event, payment.id);
  }

  private async applyIntent(
    { id }: StoredPayment,
    intentId: string,
    event: ProviderEvent | null,
  ): Promise<void> {
    const earlier = this.running.get(id) ?? Promise.resolve();
    const work = earlier.catch(() => undefined).then(() => this.readAndApplyIntent(id, intentId, event));
    this.running.set(id, work);
    await work.finally(() => this.running.get(id) === work && this.running.delete(id));
  }

  private async readAndApplyIntent(id: string, intentId: string, event: ProviderEvent | null): Promise<void> {
    const stripe = await this.loadStripe();
    for (let reads = 0; reads < MAX_READS; reads += 1) {
      const payment = await findPayment(this.dataSource, id);
      if (!payment) return;
      // The row is read first: who applies a newer intent meanwhile changes its version, and this intent is outdated.
      const intent = await retrieveExpandedPaymentIntent(stripe, intentId);
      const snapshot = await toIntentSnapshotFetchingRefunds(stripe, intent);
      const result = await applyIntentToPaymentAndCredits(this.dataSource, payment, snapshot, event);
      if (result === 'other_intent')
        this.logger.warn(`payment ${id} was charged twice: refund ${intentId}, ${payment.reference} paid it`);
      if (result !== 'outdated') return;
    }
    throw new Error(`Payment ${id} kept changing while it was read from Stripe.`);
  }

  private async findPaymentOf({ intentId, metadata }: EventSubject): Promise<StoredPayment | null> {
    const named = await this.findNamedPayment(metadata, intentId);
    if (named || intentId === null) return named;
    const known = await findPaymentByIntentId(this.dataSource, intentId);
    if (known || metadata !== null) return known;
    const stripe = await this.loadStripe();
    const intent = await stripe.paymentIntents.retrieve(intentId);
    return this.findNamedPayment(intent.metadata, intent);
  }

  private async findNamedPayment(
    metadata: Stripe.Metadata | null,
    intent: string | Stripe.PaymentIntent | null,
  ): Promise<StoredPayment | null> {
    const { payment_id: id, account_id: accountId } = metadata ?? {};
    if (id === undefined || !isUuid(id)) return null;
    const payment = await findPayment(this.dataSource, id);
    if (payment?.accountId === accountId) return payment;
    const added = payment === null && intent !== null ? await this.addPaidPayment(id, intent) : null;
    this.logger.warn(
      `a payment of Stripe has no row here: payment ${id} of account ${accountId}${added ? ' is added' : ''}`,
    );
    return added;
  }

  /**
   * For a database that was restored from a backup of before the payment.
   * @param intentOrId an id is read from Stripe
   * @returns null if nothing was paid
   */
  private async addPaidPayment(
    id: string,
    intentOrId: string | Stripe.PaymentIntent,
  ): Promise<StoredPayment | null> {
    const intent =
      typeof intentOrId === 'string'
        ? await (await this.loadStripe()).paymentIntents.retrieve(intentOrId)
        : intentOrId;
    const metadata = parsePaymentIntentMetadata(intent.metadata);
    if (intent.status !== 'succeeded' || metadata?.paymentId !== id) return null;
    await insertUnknownPayment(this.dataSource, {
      ...metadata,
      amount: intent.amount_received,
      currency: intent.currency,
      createdAt: new Date(intent.created * 1000),
    });
    return findPayment(this.dataSource, id);
  }
}

interface EventSubject {
  intentId: string | null;
  checkoutId: string | null;
  /** Null for refunds and disputes, which lack the metadata of the intent. */
  metadata: Stripe.Metadata | null;
}

function findSubject(object: Stripe.Event.Data['object']): EventSubject | null {
  const {
    object: kind,
    id,
    payment_intent,
    metadata,
  } = object as unknown as {
    object: string;
    id: string;
    payment_intent?: string | { id: string } | null;
    metadata?: Stripe.Metadata | null;
  };
  if (kind === 'payment_intent') return { intentId: id, checkoutId: null, metadata: metadata ?? {} };
  if (kind === 'checkout.session')
    return { intentId: getIdOfStripeReference(payment_intent), checkoutId: id, metadata: metadata ?? {} };
  if (kind === 'refund' || kind === 'dispute' || kind === 'charge')
    return { intentId: getIdOfStripeReference(payment_intent), checkoutId: null, metadata: null };
  return null;
}
