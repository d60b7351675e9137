import { inTransaction, lockAccountRow } from '@app/database';
import { createInvalidFieldError } from '@app/errors';
import { type FactoryProvider, Logger } from '@nestjs/common';
import type Stripe from 'stripe';
import { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { type RechargeSettings, setRechargeSettingsAndEndPause } from '../auto-recharge.repository.js';
import { findPayment, type StoredPayment, type ChangeAuditCallback } from '../payment.repository.js';
import { type CreditPackage, CreditPriceList } from '../credit-price-list.js';
import { Recharger } from '../recharger.js';
import { expirePayment, insertTopUp, saveCheckout } from './stripe-payment.repository.js';
import { createCheckoutSession } from './checkout-session.js';
import { EndedAccountPaymentCloser } from './ended-account-payment-closer.js';
import { findOpenCheckoutPayments } from './ended-account-payments.repository.js';
import { PaymentReconciler, type PaymentReconcileReport } from './payment-reconciler.js';
import { type PaymentLogger, StripePaymentUpdater } from './stripe-payment-updater.js';
import { createStripeClientLoader, toUnavailableIfStripeError } from './stripe-client.js';
import {
  clearCardAndOutdatePaymentSnapshots,
  findStoredStripeCustomer,
} from './stripe-customer.repository.js';
import { detachCards, withFoundOrCreatedStripeCustomer } from './stripe-customers.js';
import type { StripeOptions } from './stripe-options.js';
import { StripeSavedCardCharger } from './stripe-saved-card-charger.js';

export interface TopUpCheckout {
  paymentId: string;
  /** The page on which the customer pays. */
  url: string;
}

/** Nest token: `CardPayments`, or null if the operator collects payments. */
export const CARD_PAYMENTS_TOKEN = Symbol('CARD_PAYMENTS_TOKEN');

/** @param stripe null if the operator collects payments */
export function buildCardPaymentsProvider(
  stripe: StripeOptions | null,
): FactoryProvider<CardPayments | null> {
  return {
    provide: CARD_PAYMENTS_TOKEN,
    useFactory: (dataSource: DataSource) =>
      stripe && new CardPayments(dataSource, stripe, new Logger(CardPayments.name)),
    inject: [DataSource],
  };
}

/** Payments by card, at Stripe. */
export class CardPayments {
  /** For auto-recharge. */
  readonly port: StripeSavedCardCharger;
  readonly prices: CreditPriceList;
  private readonly loadStripe: () => Promise<Stripe>;
  private readonly updater: StripePaymentUpdater;
  private readonly ended: EndedAccountPaymentCloser;
  private readonly reconciler: PaymentReconciler;

  constructor(
    private readonly dataSource: DataSource,
    private readonly options: StripeOptions,
    logger: PaymentLogger,
  ) {
    this.prices = new CreditPriceList(options);
    this.loadStripe = createStripeClientLoader(options);
    this.port = new StripeSavedCardCharger(dataSource, this.loadStripe, options);
    this.updater = new StripePaymentUpdater(dataSource, this.loadStripe, logger);
    this.ended = new EndedAccountPaymentCloser(dataSource, this.loadStripe, this.updater, logger);
    this.reconciler = new PaymentReconciler({
      dataSource,
      loadStripe: this.loadStripe,
      updater: this.updater,
      ended: this.ended,
      recharger: new Recharger(dataSource, this.port),
      logger,
    });
  }

  /** Cheapest first. */
  get packages(): readonly CreditPackage[] {
    return this.prices.packages;
  }

  /** Does what `createTopUp` does for one of the packages. @throws ServiceError `validation_failed` naming `credits` */
  async createPackageTopUp(
    accountId: string,
    credits: number,
    record: ChangeAuditCallback<[paymentId: string]>,
  ): Promise<TopUpCheckout> {
    this.assertPackage(credits);
    return this.createTopUp(accountId, credits, record);
  }

  /**
   * For customers: recharges one of the packages, which lifts the balance over the threshold, with a saved card.
   * Null turns auto-recharge off. Ends a pause. @throws ServiceError `validation_failed`
   */
  async saveAutoRecharge(
    accountId: string,
    settings: Omit<RechargeSettings, 'limitCurrency'> | null,
    record: ChangeAuditCallback,
  ): Promise<void> {
    if (settings) {
      const { below, credits, monthlyLimit } = settings;
      const { amount } = this.assertPackage(credits);
      if (!Number.isSafeInteger(below) || below < 1 || below > credits)
        throw createInvalidFieldError('below', `must be a whole number from 1 to ${credits}`);
      if (monthlyLimit !== null && (!Number.isSafeInteger(monthlyLimit) || monthlyLimit < amount))
        throw createInvalidFieldError('monthly_limit', 'must be at least the price of one recharge');
    }
    await inTransaction(this.dataSource, async (tx) => {
      await lockAccountRow(tx, accountId);
      const customer = settings && (await findStoredStripeCustomer(tx, accountId));
      if (settings && !customer?.paymentMethodId)
        throw createInvalidFieldError(
          'credits',
          'cannot be recharged yet: no card is saved, a top-up saves one',
        );
      const limitCurrency = this.prices.currency;
      await setRechargeSettingsAndEndPause(tx, accountId, settings && { ...settings, limitCurrency });
      await record(tx);
    });
  }

  /**
   * Removes every card of the account at Stripe and turns auto-recharge off. Without a saved card nothing changes.
   * @throws ServiceError `service_unavailable` if Stripe fails
   */
  async removeSavedCard(accountId: string, record: ChangeAuditCallback): Promise<void> {
    const customer = await findStoredStripeCustomer(this.dataSource, accountId);
    if (!customer?.paymentMethodId) return;
    // Stripe removes the cards first, so that none stays there that is unknown here; each step may be repeated.
    await detachCards(await this.loadStripe(), customer.customerId).catch(rethrow);
    await inTransaction(this.dataSource, async (tx) => {
      await lockAccountRow(tx, accountId);
      if (!(await clearCardAndOutdatePaymentSnapshots(tx, accountId))) return;
      await setRechargeSettingsAndEndPause(tx, accountId, null);
      await record(tx);
    });
  }

  /**
   * Before an account ends: closes its checkout pages and removes its card. What is paid nevertheless, reconciliation
   * refunds. @throws ServiceError `service_unavailable` if Stripe fails
   */
  async closePayments(accountId: string, recordRemovedCard: ChangeAuditCallback): Promise<void> {
    await this.ended.expireCheckouts(accountId).catch(rethrow);
    await this.removeSavedCard(accountId, recordRemovedCard);
  }

  /**
   * Opens a checkout page, which also saves the card. The account must exist. @throws ServiceError
   * `service_unavailable` if Stripe fails
   */
  async createTopUp(
    accountId: string,
    credits: number,
    record: ChangeAuditCallback<[paymentId: string]> = () => Promise.resolve(),
  ): Promise<TopUpCheckout> {
    const stripe = await this.loadStripe();
    const id = uuidv7();
    const price = { amount: this.prices.computeAmount(credits), currency: this.prices.currency };
    await inTransaction(this.dataSource, async (tx) => {
      await insertTopUp(tx, { id, accountId, credits, ...price });
      await record(tx, id);
    });
    try {
      const checkout = await withFoundOrCreatedStripeCustomer(
        this.dataSource,
        stripe,
        accountId,
        (customerId) =>
          createCheckoutSession(
            stripe,
            { paymentId: id, accountId, customerId, credits, kind: 'top_up', ...price },
            this.options,
          ),
      );
      await saveCheckout(this.dataSource, id, checkout);
      return { paymentId: id, url: checkout.actionUrl };
    } catch (error) {
      await expirePayment(this.dataSource, id, null);
      throw toUnavailableIfStripeError(error);
    }
  }

  /**
   * For the page that Stripe sends the customer back to, which may come before the webhook. @returns null if unknown
   * @throws ServiceError `service_unavailable` if Stripe fails
   */
  async refreshPayment(accountId: string, paymentId: string): Promise<StoredPayment | null> {
    const payment = await findPayment(this.dataSource, paymentId);
    if (payment?.accountId !== accountId) return null;
    await this.updater.refresh(payment).catch(rethrow);
    return findPayment(this.dataSource, paymentId);
  }

  /**
   * @returns false if the signature is wrong or older than five minutes. @throws ServiceError `service_unavailable`
   * if Stripe fails
   */
  async handleWebhook(body: Buffer, signature: string): Promise<boolean> {
    const stripe = await this.loadStripe();
    let event: Stripe.Event;
    try {
      event = stripe.webhooks.constructEvent(body, signature, this.options.webhookSecret);
    } catch {
      return false;
    }
    await this.updater.applyEvent(event).catch(rethrow);
    return true;
  }

  /** @param intervalSeconds since the last list of events by any process; 0 always asks @throws the first error */
  reconcile(intervalSeconds: number, stop?: AbortSignal): Promise<PaymentReconcileReport> {
    return this.reconciler.reconcile(intervalSeconds, stop);
  }

  /**
   * For the end of payments by card: closes the checkout pages of all accounts, because nobody would hear that one was
   * paid. Those that were paid already settle. @returns how many are closed, and how many are open still @throws the first error, after
   * the others
   */
  async closeCheckoutPages(): Promise<{ closed: number; open: number }> {
    const payments = await findOpenCheckoutPayments(this.dataSource);
    const errors: unknown[] = [];
    for (const payment of payments)
      await this.ended.expireCheckout(payment).catch((error: unknown) => void errors.push(error));
    if (errors.length > 0) throw errors[0];
    const ids = new Set(payments.map(({ id }) => id));
    const open = (await findOpenCheckoutPayments(this.dataSource)).filter(({ id }) => ids.has(id)).length;
    return { closed: payments.length - open, open };
  }

  private assertPackage(credits: number): CreditPackage {
    const found = this.packages.find((each) => each.credits === credits);
    if (found) return found;
    const choices = this.packages.map((each) => each.credits).join(', ');
    throw createInvalidFieldError('credits', `must be one of: ${choices}`);
  }
}

function rethrow(error: unknown): never {
  throw toUnavailableIfStripeError(error);
}
