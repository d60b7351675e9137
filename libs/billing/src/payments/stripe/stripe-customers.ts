import type Stripe from 'stripe';
import type { DataSource } from 'typeorm';
import { toStripeFailure, withNewKeyAfterRepeatedFailure } from './stripe-client.js';
import {
  deleteStoredStripeCustomer,
  findAccountName,
  findStoredStripeCustomer,
  insertOrGetStripeCustomerId,
} from './stripe-customer.repository.js';

/**
 * Works with the customer of the account at Stripe, which is created if there is none, or if it was deleted in the
 * dashboard. @throws RangeError if the account is unknown
 */
export async function withFoundOrCreatedStripeCustomer<T>(
  dataSource: DataSource,
  stripe: Stripe,
  accountId: string,
  work: (customerId: string) => Promise<T>,
): Promise<T> {
  const stored = await findStoredStripeCustomer(dataSource, accountId);
  if (!stored) return work(await createCustomer(dataSource, stripe, accountId));
  try {
    return await work(stored.customerId);
  } catch (error) {
    const failure = toStripeFailure(error);
    if (failure?.code !== 'resource_missing' || failure.param !== 'customer') throw error;
    await deleteStoredStripeCustomer(dataSource, accountId, stored.customerId);
    return work(await createCustomer(dataSource, stripe, accountId, stored.customerId));
  }
}

/** Detaches all cards, also those that newer ones replaced. A customer that was deleted in the dashboard has none. */
export async function detachCards(stripe: Stripe, customerId: string): Promise<void> {
  const ids: string[] = [];
  try {
    for await (const { id } of stripe.customers.listPaymentMethods(customerId, { limit: 100 })) ids.push(id);
  } catch (error) {
    if (toStripeFailure(error)?.code !== 'resource_missing') throw error;
  }
  for (const id of ids) await detachCard(stripe, id);
}

/** Succeeds also if another process has detached the card meanwhile. */
async function detachCard(stripe: Stripe, id: string): Promise<void> {
  try {
    await stripe.paymentMethods.detach(id);
  } catch (error) {
    if (toStripeFailure(error)?.type !== 'invalid_request_error') throw error;
    if ((await stripe.paymentMethods.retrieve(id)).customer !== null) throw error;
  }
}

/**
 * Two processes that create it at once get the same customer, because they send the same idempotency key. A second one
 * is not used.
 */
async function createCustomer(
  dataSource: DataSource,
  stripe: Stripe,
  accountId: string,
  deletedId = 'none',
): Promise<string> {
  const name = await findAccountName(dataSource, accountId);
  if (name === null) throw new RangeError(`There is no account ${accountId}.`);
  const created = await withNewKeyAfterRepeatedFailure(
    `customer-${accountId}-after-${deletedId}`,
    (idempotencyKey) =>
      stripe.customers.create({ name, metadata: { account_id: accountId } }, { idempotencyKey }),
  );
  return insertOrGetStripeCustomerId(dataSource, accountId, created.id);
}
