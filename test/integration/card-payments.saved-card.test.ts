import { findStoredStripeCustomer } from '@app/billing';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { applyIntentToPaymentAndCredits } from '../../libs/billing/src/payments/stripe/intent-snapshot.repository.js';
import { CardPaymentsFixture, getSessionId } from '../support/stripe/card-payments-fixture.js';

let fixture: CardPaymentsFixture;
let accountId: string;
beforeAll(async () => void (fixture = await CardPaymentsFixture.create()));
afterAll(() => fixture.close());
beforeEach(async () => {
  fixture.reset();
  accountId = await fixture.openAccount();
});

it('a top-up that is settled after a newer one does not replace its card', async () => {
  fixture.stripe.webhooks.mode = 'drop';
  await fixture.buy(accountId, 50, { onSession: 'succeeds', offSession: 'succeeds', last4: '1111' });
  fixture.stripe.webhooks.mode = 'deliver';
  await fixture.buy(accountId, 50, { onSession: 'succeeds', offSession: 'succeeds', last4: '2222' });
  await fixture.waitForWebhooks();
  await fixture.cards.reconcile(0);
  expect(await fixture.balance(accountId)).toBe(100);
  expect(await findStoredStripeCustomer(fixture.db, accountId)).toMatchObject({ cardLast4: '2222' });
});

it('a top-up that is settled after a newer one that a restored database lacked does not replace its card', async () => {
  fixture.stripe.webhooks.mode = 'drop';
  await fixture.buy(accountId, 50, { onSession: 'succeeds', offSession: 'succeeds', last4: '1111' });
  fixture.stripe.webhooks.mode = 'deliver';
  const { paymentId, url } = await fixture.cards.createTopUp(accountId, 50);
  await fixture.jobs.rows('DELETE FROM payment WHERE id = $1', paymentId);
  const newer = { onSession: 'succeeds', offSession: 'succeeds', last4: '2222' } as const;
  fixture.stripe.state.payCheckout(getSessionId(url), newer);
  await fixture.waitForWebhooks();
  expect(await findStoredStripeCustomer(fixture.db, accountId)).toMatchObject({ cardLast4: '2222' });
  await fixture.cards.reconcile(0);
  expect(await fixture.balance(accountId)).toBe(100);
  expect(await findStoredStripeCustomer(fixture.db, accountId)).toMatchObject({ cardLast4: '2222' });
});

it('a card that was removed does not come back with a payment that is settled later', async () => {
  await fixture.buy(accountId);
  await fixture.waitForWebhooks();
  fixture.stripe.webhooks.mode = 'drop';
  await fixture.buy(accountId);
  const [payment] = await fixture.payments(accountId);
  if (!payment) throw new Error('no payment');
  await fixture.cards.removeSavedCard(accountId, () => Promise.resolve());
  const { customerId = '' } = (await findStoredStripeCustomer(fixture.db, accountId)) ?? {};
  const card = { customerId, paymentMethodId: 'pm_removed', brand: null, last4: null, expires: null };
  const readBefore = { id: 'pi_1', isPaid: true, amount: 5_000, currency: 'usd', receiptUrl: null, card };
  const snapshot = { ...readBefore, refundedAmount: 0, disputes: [] };
  expect(await applyIntentToPaymentAndCredits(fixture.db, payment, snapshot, null)).toBe('outdated');
  await fixture.cards.reconcile(0);
  expect(await fixture.balance(accountId)).toBe(100);
  expect(await findStoredStripeCustomer(fixture.db, accountId)).toMatchObject({ paymentMethodId: null });
});
