import { Account, IS_INSTALLATION_HELD_SQL, Payment, queryRows } from '@app/database';
import { type DataSource, In, IsNull, Not } from 'typeorm';
import type { StoredPayment } from '../payment.repository.js';

export async function hasAccountEnded(dataSource: DataSource, accountId: string): Promise<boolean> {
  return dataSource.getRepository(Account).existsBy({ id: accountId, endedAt: Not(IsNull()) });
}

/** Payments with a checkout page that may be open. */
export async function findOpenCheckoutPaymentsOfAccount(
  dataSource: DataSource,
  accountId: string,
): Promise<StoredPayment[]> {
  return dataSource.getRepository(Payment).findBy({
    accountId,
    provider: 'stripe',
    state: In(['checkout', 'action_required']),
    checkoutId: Not(IsNull()),
  });
}

/** Of all accounts; none while they are held, because a trial restore must not close the pages of the service itself. */
export async function findOpenCheckoutPayments(dataSource: DataSource): Promise<StoredPayment[]> {
  const found = await queryRows<{ id: string }>(
    dataSource,
    `SELECT id FROM payment
     WHERE state IN ('checkout', 'action_required') AND provider = 'stripe' AND checkout_id IS NOT NULL
       AND NOT ${IS_INSTALLATION_HELD_SQL}
     ORDER BY id`,
  );
  return loadPayments(dataSource, found);
}

/**
 * Payments that were settled after the end of their account, of which nothing was refunded or lost by a dispute, oldest
 * first; those that could not be refunded once a day; none while they are held.
 */
export async function findPaymentsToRefund(dataSource: DataSource, limit: number): Promise<StoredPayment[]> {
  const found = await queryRows<{ id: string }>(
    dataSource,
    `SELECT payment.id FROM account JOIN payment ON payment.account_id = account.id
     WHERE account.ended_at IS NOT NULL AND payment.ended_at > account.ended_at AND payment.provider = 'stripe'
       AND payment.state = 'settled' AND payment.reference IS NOT NULL AND payment.refunded_amount = 0
       AND payment.reversed_credits < payment.credits
       AND (payment.asked_at <= payment.ended_at OR payment.asked_at < now() - interval '1 day')
       AND NOT ${IS_INSTALLATION_HELD_SQL}
     ORDER BY payment.id LIMIT $1`,
    [limit],
  );
  return loadPayments(dataSource, found);
}

function loadPayments(dataSource: DataSource, found: readonly { id: string }[]): Promise<StoredPayment[]> {
  const payments = dataSource.getRepository(Payment);
  return Promise.all(found.map(({ id }) => payments.findOneByOrFail({ id })));
}

export async function postponeRefundForADay(dataSource: DataSource, id: string): Promise<void> {
  await dataSource.getRepository(Payment).update({ id }, { lastRequestedAt: () => 'now()' });
}
