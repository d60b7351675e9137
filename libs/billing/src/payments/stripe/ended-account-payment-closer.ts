import { inTransaction, lockAccountRow } from '@app/database';
import { describeError } from '@app/errors';
import type Stripe from 'stripe';
import type { DataSource } from 'typeorm';
import type { StoredPayment } from '../payment.repository.js';
import {
  findOpenCheckoutPaymentsOfAccount,
  postponeRefundForADay,
} from './ended-account-payments.repository.js';
import type { PaymentLogger, StripePaymentUpdater } from './stripe-payment-updater.js';
import { toStripeFailure } from './stripe-client.js';
import {
  clearCardAndOutdatePaymentSnapshots,
  findStoredStripeCustomer,
} from './stripe-customer.repository.js';
import { detachCards } from './stripe-customers.js';

/** Nobody pays for an account that has ended, and who did gets the money back. */
export class EndedAccountPaymentCloser {
  constructor(
    private readonly dataSource: DataSource,
    private readonly loadStripe: () => Promise<Stripe>,
    private readonly updater: StripePaymentUpdater,
    private readonly logger: PaymentLogger,
  ) {}

  /** Each step may be repeated. @throws what Stripe or the database throws */
  async expireCheckouts(accountId: string): Promise<void> {
    for (const payment of await findOpenCheckoutPaymentsOfAccount(this.dataSource, accountId))
      await this.expireCheckout(payment);
  }

  /** Closes a checkout page. The payment settles if the page was paid already. */
  async expireCheckout(payment: StoredPayment): Promise<void> {
    if (payment.checkoutId === null) return;
    const stripe = await this.loadStripe();
    try {
      await stripe.checkout.sessions.expire(payment.checkoutId);
    } catch (error) {
      const failure = toStripeFailure(error);
      // Only an open page can be expired, and not by a key without the permission.
      if (failure?.type !== 'invalid_request_error' || failure.statusCode === 403) throw error;
    }
    await this.updater.refresh(payment);
  }

  /** Refunds once, whatever becomes of the refund, and removes the card that the payment has saved. */
  async refund(payment: StoredPayment): Promise<void> {
    const { id, accountId, reference } = payment;
    if (reference === null) return;
    const stripe = await this.loadStripe();
    const customer = await findStoredStripeCustomer(this.dataSource, accountId);
    if (customer) await detachCards(stripe, customer.customerId);
    await inTransaction(this.dataSource, async (tx) => {
      await lockAccountRow(tx, accountId);
      await clearCardAndOutdatePaymentSnapshots(tx, accountId);
    });
    const { data: earlier } = await stripe.refunds.list({ payment_intent: reference, limit: 1 });
    if (earlier.length > 0) await this.leaveToOperator(id, reference, 'its refund failed');
    else await this.createRefund(stripe, id, reference);
    await this.updater.refresh(payment);
  }

  private async createRefund(stripe: Stripe, id: string, reference: string): Promise<void> {
    try {
      await stripe.refunds.create({ payment_intent: reference }, { idempotencyKey: `refund-${id}` });
    } catch (error) {
      const failure = toStripeFailure(error);
      // For example the payment is disputed.
      if (failure?.type !== 'invalid_request_error') throw error;
      await this.leaveToOperator(id, reference, `Stripe refuses to refund it (${describeError(error)})`);
    }
  }

  private async leaveToOperator(id: string, reference: string, reason: string): Promise<void> {
    await postponeRefundForADay(this.dataSource, id);
    this.logger.warn(
      `payment ${id} was made after the end of its account, and ${reason}: refund ${reference} by hand`,
    );
  }
}
