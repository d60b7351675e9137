import type { DataSource } from 'typeorm';
import {
  type CreditAndPaymentStatus,
  readCreditAndPaymentStatus,
} from './credit-and-payment-status.repository.js';
import {
  findRechargeSettings,
  type StoredRechargeSettings,
  sumRechargeAmountsThisMonth,
} from './payments/auto-recharge.repository.js';
import type { CreditPackage } from './payments/credit-price-list.js';
import type { CardPayments } from './payments/stripe/card-payments.js';
import { findStoredStripeCustomer } from './payments/stripe/stripe-customer.repository.js';

export interface BillingOverview extends CreditAndPaymentStatus {
  autoRecharge: StoredRechargeSettings | null;
  /** Null if the operator collects payments. */
  cardPayments: {
    currency: string;
    packages: readonly CreditPackage[];
    savedCard: { brand: string | null; last4: string | null; expires: string | null } | null;
    /** By auto-recharge, in the smallest unit of the currency. */
    rechargedThisMonth: number;
  } | null;
}

/** @returns null if the account is unknown */
export async function readBillingOverview(
  dataSource: DataSource,
  accountId: string,
  cards: CardPayments | null,
): Promise<BillingOverview | null> {
  const currency = cards?.prices.currency ?? null;
  const summary = await readCreditAndPaymentStatus(dataSource, accountId, currency);
  if (!summary) return null;
  return {
    ...summary,
    autoRecharge: await findRechargeSettings(dataSource, accountId, currency),
    cardPayments: cards && {
      currency: cards.prices.currency,
      packages: cards.packages,
      savedCard: await findSavedCard(dataSource, accountId),
      rechargedThisMonth: await sumRechargeAmountsThisMonth(dataSource, accountId, cards.prices.currency),
    },
  };
}

async function findSavedCard(dataSource: DataSource, accountId: string) {
  const customer = await findStoredStripeCustomer(dataSource, accountId);
  if (customer === null || customer.paymentMethodId === null) return null;
  const { cardBrand: brand, cardLast4: last4, cardExpires: expires } = customer;
  return { brand, last4, expires };
}
