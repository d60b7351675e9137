import type Stripe from 'stripe';
import type { DataSource } from 'typeorm';
import { findAccountName, findStripeCustomer, insertStripeCustomer } from './stripe-customer.repository.js';

/**
 * Creates the customer of the account at Stripe if there is none. Of two processes that do so at once, both get the
 * same one, because they send the same idempotency key.
 * @returns its id @throws RangeError if the account is unknown
 */
export async function ensureStripeCustomer(
  dataSource: DataSource,
  stripe: Stripe,
  accountId: string,
): Promise<string> {
  const stored = await findStripeCustomer(dataSource, accountId);
  if (stored) return stored.customerId;
  const name = await findAccountName(dataSource, accountId);
  if (name === null) throw new RangeError(`There is no account ${accountId}.`);
  const created = await stripe.customers.create(
    { name, metadata: { account_id: accountId } },
    { idempotencyKey: `customer-${accountId}` },
  );
  return insertStripeCustomer(dataSource, accountId, created.id);
}
