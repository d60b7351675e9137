import { Account, queryRows, StripeCustomer } from '@app/database';
import { type DataSource, type EntityManager, IsNull, Not } from 'typeorm';

export interface SavedCard {
  customerId: string;
  paymentMethodId: string;
  brand: string | null;
  last4: string | null;
  /** `YYYY-MM` */
  expires: string | null;
}

export type StoredStripeCustomer = Omit<StripeCustomer, 'account'>;

export async function findStoredStripeCustomer(
  db: DataSource | EntityManager,
  accountId: string,
): Promise<StoredStripeCustomer | null> {
  return db.getRepository(StripeCustomer).findOneBy({ accountId });
}

/** Keeps the customer that another process stored first. @returns the stored id */
export async function insertOrGetStripeCustomerId(
  dataSource: DataSource,
  accountId: string,
  customerId: string,
): Promise<string> {
  const [stored] = await queryRows<{ id: string }>(
    dataSource,
    `WITH added AS (
       INSERT INTO stripe_customer (account_id, customer_id) VALUES ($1, $2)
       ON CONFLICT (account_id) DO UPDATE SET customer_id = stripe_customer.customer_id RETURNING customer_id
     )
     SELECT customer_id AS id FROM added`,
    [accountId, customerId],
  );
  return stored?.id ?? customerId;
}

/** Deletes the stored customer unless another process has replaced it. */
export async function deleteStoredStripeCustomer(
  dataSource: DataSource,
  accountId: string,
  customerId: string,
): Promise<void> {
  await dataSource.getRepository(StripeCustomer).delete({ accountId, customerId });
}

/** Saves the card unless another customer is stored meanwhile, with whom the card cannot be charged. */
export async function saveCard(tx: EntityManager, accountId: string, card: SavedCard): Promise<void> {
  const { customerId, paymentMethodId, brand, last4, expires } = card;
  await tx.update(
    StripeCustomer,
    { accountId, customerId },
    { paymentMethodId, cardBrand: brand, cardLast4: last4, cardExpires: expires },
  );
}

/**
 * Removes the card. Call it under the lock of the account. What was read from Stripe before about payments that are not settled
 * becomes outdated, because it may contain the card. @returns false if no card was saved
 */
export async function clearCardAndOutdatePaymentSnapshots(
  tx: EntityManager,
  accountId: string,
): Promise<boolean> {
  await tx.query(
    `UPDATE payment SET version = version + 1 WHERE account_id = $1 AND provider = 'stripe' AND state <> 'settled'`,
    [accountId],
  );
  const { affected } = await tx.update(
    StripeCustomer,
    { accountId, paymentMethodId: Not(IsNull()) },
    { paymentMethodId: null, cardBrand: null, cardLast4: null, cardExpires: null },
  );
  return affected === 1;
}

export async function findAccountName(dataSource: DataSource, accountId: string): Promise<string | null> {
  const account = await dataSource.getRepository(Account).findOneBy({ id: accountId });
  return account?.name ?? null;
}
