import { describeError } from '@app/errors';
import { inTransaction } from '@app/database';
import type Stripe from 'stripe';
import type { DataSource } from 'typeorm';
import { collectOwedCredits, findAccountIdsWithCollectableDebt } from '../../owed-credits.repository.js';
import { RECHARGE_CLAIM_TIMEOUT_SECONDS, type Recharger } from '../recharger.js';
import {
  claimUnfinishedPayment,
  expirePayment,
  type UnfinishedPayment,
} from './stripe-payment.repository.js';
import type { EndedAccountPaymentCloser } from './ended-account-payment-closer.js';
import { findPaymentsToRefund, hasAccountEnded } from './ended-account-payments.repository.js';
import {
  claimEventScan,
  completeEventScan,
  findUnappliedEventIds,
  purgeOldEvents,
} from './event-scan.repository.js';
import {
  type PaymentLogger,
  type StripePaymentUpdater,
  STRIPE_EVENT_TYPES,
} from './stripe-payment-updater.js';

const BATCH = 100;
/** A checkout session ends after a day; a payment without one belongs to a process that died. */
const CHECKOUT_MS = 25 * 3600 * 1000;

export interface PaymentReconcileReport {
  /** Payments without an end that were looked at. */
  payments: number;
  /** Events that no webhook had reported; null if another process listed them just now. */
  events: number | null;
  /** Payments of ended accounts that were to be refunded. */
  refunds: number;
  /** Accounts whose debt was to be collected. */
  debts: number;
}

/** Logs and collects the error of a piece of work, so that the others go on. */
type Attempt = (what: string, work: () => Promise<unknown>) => Promise<void>;

export interface PaymentReconcilerDependencies {
  dataSource: DataSource;
  loadStripe: () => Promise<Stripe>;
  updater: StripePaymentUpdater;
  ended: EndedAccountPaymentCloser;
  recharger: Recharger;
  logger: PaymentLogger;
}

/** Asks Stripe for what no webhook reported. Processes may do so at the same time. */
export class PaymentReconciler {
  constructor(private readonly dependencies: PaymentReconcilerDependencies) {}

  /**
   * @param intervalSeconds since the last list of events by any process
   * @throws the first error, after everything else
   */
  async reconcile(intervalSeconds: number, stop?: AbortSignal): Promise<PaymentReconcileReport> {
    const errors: unknown[] = [];
    const attempt: Attempt = async (what, work) => {
      stop?.throwIfAborted();
      await work().catch((error: unknown) => {
        this.dependencies.logger.warn(`${what} was not reconciled: ${describeError(error)}`);
        errors.push(error);
      });
    };
    const { dataSource } = this.dependencies;
    const payments = await this.reconcilePayments(
      Math.min(RECHARGE_CLAIM_TIMEOUT_SECONDS, intervalSeconds),
      attempt,
    );
    const events = await this.reconcileEvents(intervalSeconds, attempt);
    const { ended } = this.dependencies;
    const refunds = await findPaymentsToRefund(dataSource, BATCH);
    for (const payment of refunds)
      await attempt(`The refund of payment ${payment.id}`, () => ended.refund(payment));
    const debtors = await findAccountIdsWithCollectableDebt(dataSource.manager);
    for (const accountId of debtors)
      await attempt(`The debt of account ${accountId}`, () =>
        inTransaction(dataSource, (tx) => collectOwedCredits(tx, accountId)),
      );
    await purgeOldEvents(dataSource);
    if (errors.length > 0) throw errors[0];
    return { payments, events, refunds: refunds.length, debts: debtors.length };
  }

  /** Claims one at a time: while Stripe is slow, the state of others changes. @returns their number */
  private async reconcilePayments(untouchedSeconds: number, attempt: Attempt): Promise<number> {
    const exceptIds: string[] = [];
    while (exceptIds.length < BATCH) {
      const claim = { untouchedSeconds, exceptIds };
      const claimed = await claimUnfinishedPayment(this.dependencies.dataSource, claim);
      if (!claimed) break;
      const { id } = claimed.payment;
      exceptIds.push(id);
      await attempt(`Payment ${id}`, () => this.reconcilePayment(claimed));
    }
    return exceptIds.length;
  }

  private async reconcilePayment({ payment, isRechargeAllowed }: UnfinishedPayment): Promise<void> {
    const { updater, ended, recharger, dataSource } = this.dependencies;
    const { id, accountId, credits, amount, currency, createdAt } = payment;
    if (payment.state === 'requested')
      await recharger.charge({ id, accountId, credits, amount, currency, createdAt, isRechargeAllowed });
    else if (payment.checkoutId !== null) {
      const isEnded = await hasAccountEnded(dataSource, payment.accountId);
      await (isEnded ? ended.expireCheckout(payment) : updater.refresh(payment));
    } else if (Date.now() - createdAt.getTime() > CHECKOUT_MS) await expirePayment(dataSource, id, null);
  }

  private async reconcileEvents(intervalSeconds: number, attempt: Attempt): Promise<number | null> {
    const { dataSource, loadStripe, updater } = this.dependencies;
    const scan = await claimEventScan(dataSource, 'stripe', intervalSeconds);
    if (!scan) return null;
    let applied = 0;
    let isComplete = false;
    await attempt('The list of events', async () => {
      const events = await this.listUnappliedEvents(await loadStripe(), scan.since);
      for (const event of events)
        await attempt(`Event ${event.id}`, async () => {
          await updater.applyEvent(event);
          applied += 1;
        });
      isComplete = applied === events.length;
    });
    if (isComplete) await completeEventScan(dataSource, 'stripe', scan);
    return applied;
  }

  /** Oldest first. */
  private async listUnappliedEvents(stripe: Stripe, since: Date): Promise<Stripe.Event[]> {
    const events: Stripe.Event[] = [];
    const list = stripe.events.list({
      types: STRIPE_EVENT_TYPES,
      created: { gte: Math.floor(since.getTime() / 1000) },
      limit: BATCH,
    });
    for await (const event of list) events.push(event);
    const unapplied = await findUnappliedEventIds(
      this.dependencies.dataSource,
      events.map(({ id }) => id),
    );
    return events.filter(({ id }) => unapplied.has(id)).toReversed();
  }
}
