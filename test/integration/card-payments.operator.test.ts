import {
  declinePayment,
  listPayments,
  readCreditAndPaymentStatus,
  setRechargeSettingsAndEndPause,
} from '@app/billing';
import { insertInstallationIfAbsent } from '@app/installation';
import { holdAllWebhookDeliveries, releaseAllWebhookDeliveries } from '@app/webhooks';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { ReconcilePaymentsCommand } from '../../apps/admin/src/credits/card-payments.command.js';
import {
  DeclinePaymentCommand,
  ListPaymentsCommand,
  SettlePaymentCommand,
} from '../../apps/admin/src/credits/payments.command.js';
import type { LazyAdminServices } from '../../apps/admin/src/lazy-admin-services.js';
import { CardPaymentsFixture, getSessionId } from '../support/stripe/card-payments-fixture.js';

let fixture: CardPaymentsFixture;
let accountId: string;
let payment: string;
let printed: string;
beforeAll(async () => void (fixture = await CardPaymentsFixture.create()));
afterAll(() => fixture.close());
afterEach(() => vi.restoreAllMocks());
beforeEach(async () => {
  fixture.reset();
  printed = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed += String(text);
    return true;
  });
  ({ accountId } = await fixture.openAccountWithCard());
  await setRechargeSettingsAndEndPause(fixture.db, accountId, { below: 1, credits: 50 });
  fixture.stripe.failNext(/payment_intents$/, 'error_500');
  expect(await fixture.describeCreditCheck(accountId)).toMatch(/asked for/);
  payment = (await fixture.payments(accountId))[0]?.id ?? '';
});

const contextWith = (cardPayments: CardPaymentsFixture['cards'] | null) =>
  ({ open: () => Promise.resolve({ dataSource: fixture.db, cardPayments }) }) as unknown as LazyAdminServices;

describe('an open payment of Stripe', () => {
  it('is neither settled nor declined by the operator, because only Stripe knows its result', async () => {
    const context = contextWith(fixture.cards);
    for (const command of [new SettlePaymentCommand(context), new DeclinePaymentCommand(context)])
      await expect(command.run([payment], { json: true })).rejects.toThrow(/use `credits reconcile`/);
    expect(await fixture.payments(accountId)).toMatchObject([{ state: 'requested' }]);
    expect(await fixture.balance(accountId)).toBe(0);
  });

  it('is declined, but not settled, once Stripe is no longer configured', async () => {
    const context = contextWith(null);
    await expect(new SettlePaymentCommand(context).run([payment], { json: true })).rejects.toThrow();
    await new DeclinePaymentCommand(context).run([payment], { json: true });
    expect(await listPayments(fixture.db, { accountId, limit: 1 })).toMatchObject([{ state: 'declined' }]);
    expect(await declinePayment(fixture.db, payment)).toBe(false);
  });
});

describe('a payment of Stripe with a checkout page', () => {
  const openPages = async () => {
    const payer = await fixture.openAccountWithCard(0, {
      onSession: 'succeeds',
      offSession: 'authentication_required',
    });
    await setRechargeSettingsAndEndPause(fixture.db, payer.accountId, { below: 1, credits: 50 });
    expect(await fixture.describeCreditCheck(payer.accountId)).toMatch(/confirm/);
    await fixture.cards.createTopUp(payer.accountId, 50);
    return payer.accountId;
  };
  const listStates = async (id: string) => (await fixture.payments(id)).map(({ state }) => state);

  it('is expired by `credits decline` once Stripe is no longer configured, and not before', async () => {
    const payer = await openPages();
    const [topUp, recharge] = (await fixture.payments(payer)).map(({ id }) => id);
    const decline = (id = '', cards: CardPaymentsFixture['cards'] | null = null) =>
      new DeclinePaymentCommand(contextWith(cards)).run([id], { json: true });
    await expect(decline(recharge, fixture.cards)).rejects.toThrow(/use `credits reconcile`/);
    expect(await listStates(payer)).toEqual(['checkout', 'action_required']);
    await decline(topUp);
    await decline(recharge);
    expect(printed).toContain(JSON.stringify({ payment_id: recharge, state: 'expired' }));
    expect(await fixture.payments(payer)).toMatchObject([
      { state: 'expired', actionUrl: null, endedAt: expect.any(Date) },
      { state: 'expired', actionUrl: null, endedAt: expect.any(Date) },
    ]);
    expect(await readCreditAndPaymentStatus(fixture.db, payer)).toMatchObject({ paymentsToConfirm: 0 });
    await expect(decline(recharge)).rejects.toThrow('is expired already');
  });

  it('is listed without its page once Stripe is no longer configured', async () => {
    const payer = await openPages();
    for (const cards of [fixture.cards, null])
      await new ListPaymentsCommand(contextWith(cards)).run([], { json: true, account: payer });
    const [listed, withoutPages] = printed
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { action_url: string | null }[]).map((each) => each.action_url));
    expect(listed).toEqual([expect.stringContaining('/pay/'), expect.stringContaining('/pay/')]);
    expect(withoutPages).toEqual([null, null]);
  });

  it('cannot be paid after `credits reconcile --close-pages`, which does nothing to a restored service', async () => {
    const payer = await openPages();
    const { url } = await fixture.cards.createTopUp(accountId, 50);
    const closePages = () =>
      new ReconcilePaymentsCommand(contextWith(fixture.cards)).run([], { closePages: true });
    await insertInstallationIfAbsent(fixture.db, 'fingerprint');
    await holdAllWebhookDeliveries(fixture.db);
    await closePages();
    expect(printed).toMatch(/Closed 0 checkout pages\.\n$/);
    await releaseAllWebhookDeliveries(fixture.db);
    await closePages();
    expect(printed).toMatch(/Closed [1-9]\d* checkout pages\.\n$/);
    expect(await listStates(payer)).toEqual(['expired', 'expired']);
    expect(() => fixture.stripe.state.payCheckout(getSessionId(url))).toThrow('expired');
  });

  it('settles when it was paid before its page is closed', async () => {
    fixture.stripe.webhooks.mode = 'drop';
    const { url } = await fixture.cards.createTopUp(accountId, 50);
    fixture.stripe.state.payCheckout(getSessionId(url));
    await fixture.cards.closeCheckoutPages();
    expect(await fixture.payments(accountId)).toMatchObject([{ state: 'settled' }, { state: 'requested' }]);
  });
});
