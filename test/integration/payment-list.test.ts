import { findAccountPayment, readPaymentListPage } from '@app/billing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { CardPaymentsFixture } from '../support/stripe/card-payments-fixture.js';

let fixture: CardPaymentsFixture;
beforeAll(async () => void (fixture = await CardPaymentsFixture.create()));
afterAll(() => fixture.close());

it('the list of payments has the open dispute of each, else the newest', async () => {
  const accountId = await fixture.openAccount();
  const paymentId = await fixture.buy(accountId);
  await fixture.buy(accountId);
  await fixture.waitForWebhooks();
  const [, disputed] = await fixture.payments(accountId);
  const readDisputes = async () =>
    (await readPaymentListPage(fixture.db, accountId, { limit: 2 })).payments.map(({ dispute }) => dispute);
  expect(await readDisputes()).toEqual([null, null]);
  const open = { status: 'needs_response', amount: 5_000, currency: 'usd', closedAt: null };
  const { id } = fixture.stripe.state.openDispute(disputed?.reference ?? '');
  await fixture.waitForWebhooks();
  expect(await readDisputes()).toEqual([null, { ...open, createdAt: expect.any(Date) as Date }]);
  fixture.stripe.state.changeDispute(id, 'lost');
  await fixture.waitForWebhooks();
  expect(await findAccountPayment(fixture.db, accountId, paymentId)).toMatchObject({
    reversedCredits: 50,
    dispute: { status: 'lost', closedAt: expect.any(Date) as Date },
  });
  fixture.stripe.state.openDispute(disputed?.reference ?? '', { amount: 1_000 });
  await fixture.waitForWebhooks();
  expect(await readDisputes()).toMatchObject([null, { ...open, amount: 1_000 }]);
});
