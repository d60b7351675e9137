import {
  findRechargeSettings,
  grantOrDeductCredits,
  listDisputes,
  Recharger,
  setRechargeSettingsAndEndPause,
} from '@app/billing';
import { inTransaction } from '@app/database';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { applyIntentToPaymentAndCredits } from '../../libs/billing/src/payments/stripe/intent-snapshot.repository.js';
import { CardPaymentsFixture } from '../support/stripe/card-payments-fixture.js';

let fixture: CardPaymentsFixture;
let accountId: string;
let intent: string;
beforeAll(async () => void (fixture = await CardPaymentsFixture.create()));
afterAll(() => fixture.close());
beforeEach(async () => {
  fixture.reset();
  accountId = await fixture.openAccount();
  await fixture.buy(accountId);
  await fixture.waitForWebhooks();
  intent = (await fixture.payments(accountId))[0]?.reference ?? '';
});

const spend = (credits: number) =>
  inTransaction(fixture.db, (tx) => grantOrDeductCredits(tx, accountId, -credits, 'spent'));
const checkCredit = () => fixture.describeCreditCheck(accountId);
const readState = async () => {
  const { balance, owed, entries } = await fixture.statement(accountId);
  expect(balance).toBe(entries.reduce((sum, { amount }) => sum + amount, 0));
  return { balance, owed };
};

describe('a refund', () => {
  it('deducts the credits of the refunded part', async () => {
    fixture.stripe.state.createRefund(intent, 1_000);
    await fixture.waitForWebhooks();
    expect(await readState()).toEqual({ balance: 40, owed: 0 });
    fixture.stripe.state.createRefund(intent);
    await fixture.waitForWebhooks();
    expect(await readState()).toEqual({ balance: 0, owed: 0 });
    expect(await fixture.payments(accountId)).toMatchObject([
      { state: 'settled', refundedAmount: 5_000, reversedCredits: 50 },
    ]);
  });

  it('of spent credits becomes a debt: no job is accepted until a top-up pays it', async () => {
    await spend(45);
    fixture.stripe.state.createRefund(intent);
    await fixture.waitForWebhooks();
    expect(await readState()).toEqual({ balance: 0, owed: 45 });
    expect(await checkCredit()).toMatch(/owes 45 credits/);
    await fixture.buy(accountId);
    await fixture.waitForWebhooks();
    expect(await readState()).toEqual({ balance: 5, owed: 0 });
    expect(await checkCredit()).toBe('admitted');
  });

  it('deducts credits that are returned later, until the debt is paid', async () => {
    await spend(50);
    fixture.stripe.state.createRefund(intent);
    await fixture.waitForWebhooks();
    await inTransaction(fixture.db, (tx) => grantOrDeductCredits(tx, accountId, 20, 'released'));
    expect(await checkCredit()).toMatch(/owes/);
    await fixture.cards.reconcile(0);
    expect(await readState()).toEqual({ balance: 0, owed: 30 });
  });

  it('is paid by credits that are released, before a job may hold them, also with auto-recharge', async () => {
    await setRechargeSettingsAndEndPause(fixture.db, accountId, { below: 1, credits: 50 });
    await spend(50);
    expect(await checkCredit()).toBe('admitted');
    const [recharge] = await fixture.payments(accountId);
    await spend(50);
    fixture.stripe.state.createRefund(recharge?.reference ?? '');
    await fixture.waitForWebhooks();
    await inTransaction(fixture.db, (tx) => grantOrDeductCredits(tx, accountId, 20, 'released'));
    expect(await checkCredit()).toMatch(/owes 30 credits/);
    expect(await readState()).toEqual({ balance: 0, owed: 30 });
  });

  it('is not charged again by auto-recharge: the owner of the card decides to pay the debt', async () => {
    await setRechargeSettingsAndEndPause(fixture.db, accountId, { below: 1, credits: 50 });
    await spend(50);
    fixture.stripe.state.createRefund(intent);
    await fixture.waitForWebhooks();
    for (let create = 0; create < 2; create += 1)
      expect(await checkCredit()).toMatch(/owes 50 credits .* Top up to pay them/);
    expect(await new Recharger(fixture.db, fixture.cards.port).recharge(accountId)).toBe('owing');
    expect(await fixture.payments(accountId)).toHaveLength(1);
    await fixture.buy(accountId);
    await fixture.waitForWebhooks();
    expect(await readState()).toEqual({ balance: 0, owed: 0 });
    expect(await checkCredit()).toBe('admitted');
  });

  it('that fails returns the credits, after the debt', async () => {
    await spend(20);
    const { id } = fixture.stripe.state.createRefund(intent);
    await fixture.waitForWebhooks();
    expect(await readState()).toEqual({ balance: 0, owed: 20 });
    fixture.stripe.state.failRefund(id);
    await fixture.waitForWebhooks();
    expect(await readState()).toEqual({ balance: 30, owed: 0 });
    expect(await fixture.payments(accountId)).toMatchObject([{ refundedAmount: 0, reversedCredits: 0 }]);
  });

  it('is found by the metadata of the intent when the payment has no reference', async () => {
    await fixture.jobs.rows('UPDATE payment SET reference = NULL WHERE account_id = $1', accountId);
    fixture.stripe.state.createRefund(intent, 500);
    await fixture.waitForWebhooks();
    expect(await readState()).toEqual({ balance: 45, owed: 0 });
    expect(await fixture.payments(accountId)).toMatchObject([{ reference: intent }]);
  });

  it('that is reported before the payment is granted together with it', async () => {
    accountId = await fixture.openAccount();
    fixture.stripe.webhooks.mode = 'hold';
    const paymentId = await fixture.buy(accountId);
    const session = [...fixture.stripe.state.sessions.values()].find(
      ({ metadata }) => metadata['payment_id'] === paymentId,
    );
    fixture.stripe.state.createRefund(session?.payment_intent ?? '', 2_000);
    await fixture.stripe.webhooks.releaseInOrder((events) => events.toReversed());
    expect(await readState()).toEqual({ balance: 30, owed: 0 });
  });

  it('has the same result in any order of its events', async () => {
    Object.assign(fixture.stripe.webhooks, { mode: 'hold', copies: 2 });
    const refunds = [500, 1_000, 1_500].map((amount) => fixture.stripe.state.createRefund(intent, amount));
    fixture.stripe.state.failRefund(refunds[1]?.id ?? '');
    fixture.stripe.webhooks.release((events) => events.toReversed());
    await Promise.all([fixture.cards, fixture.newCards()].map((cards) => cards.reconcile(0)));
    await fixture.waitForWebhooks();
    expect(await readState()).toEqual({ balance: 30, owed: 0 });
  });

  it('that no webhook reports is found by reconciliation', async () => {
    fixture.stripe.webhooks.mode = 'drop';
    fixture.stripe.state.createRefund(intent, 1_000);
    await fixture.cards.reconcile(0);
    expect(await readState()).toEqual({ balance: 40, owed: 0 });
  });
});

describe('a snapshot of Stripe', () => {
  it('does not replace newer data by those that were read before', async () => {
    fixture.stripe.webhooks.mode = 'drop';
    const [payment] = await fixture.payments(accountId);
    if (!payment) throw new Error('no payment');
    const read = { isPaid: true, id: intent, amount: 5_000, currency: 'usd', receiptUrl: null, card: null };
    const apply = (refundedAmount: number) =>
      applyIntentToPaymentAndCredits(fixture.db, payment, { ...read, refundedAmount, disputes: [] }, null);
    expect(await apply(1_000)).toBe('applied');
    expect(await apply(0)).toBe('outdated');
    expect(await readState()).toEqual({ balance: 40, owed: 0 });
  });

  it('of a second intent that paid the same payment grants nothing, and asks for a refund', async () => {
    const [payment] = await fixture.payments(accountId);
    const { id: method } = fixture.stripe.state.createPaymentMethod(null);
    const second = fixture.stripe.state.createIntent({
      amount: 5_000,
      currency: 'usd',
      customer: null,
      metadata: { payment_id: payment?.id ?? '', account_id: accountId },
    });
    fixture.stripe.state.confirmIntent(second, method, 'on');
    await fixture.waitForWebhooks();
    expect(await readState()).toEqual({ balance: 50, owed: 0 });
    expect(fixture.warnings).toEqual([expect.stringContaining(`refund ${second.id}`)]);
  });
});

describe('a dispute', () => {
  const listAccountDisputes = () => listDisputes(fixture.db, { accountId, limit: 10 });

  it('suspends the creation of jobs until it is won', async () => {
    const { id } = fixture.stripe.state.openDispute(intent);
    await fixture.waitForWebhooks();
    expect(await checkCredit()).toMatch(/disputed/);
    expect(await readState()).toEqual({ balance: 50, owed: 0 });
    expect(await listAccountDisputes()).toMatchObject([
      { id, status: 'needs_response', reason: 'fraudulent', closedAt: null },
    ]);
    fixture.stripe.state.changeDispute(id, 'under_review');
    await fixture.waitForWebhooks();
    expect(await checkCredit()).toMatch(/disputed/);
    fixture.stripe.state.changeDispute(id, 'won');
    await fixture.waitForWebhooks();
    expect(await checkCredit()).toBe('admitted');
    expect(await listAccountDisputes()).toMatchObject([{ status: 'won', closedAt: expect.any(Date) }]);
    expect(await listDisputes(fixture.db, { accountId, onlyOpen: true, limit: 10 })).toEqual([]);
  });

  it('that is lost deducts the credits, and spent credits become a debt', async () => {
    await spend(30);
    const { id } = fixture.stripe.state.openDispute(intent);
    fixture.stripe.state.changeDispute(id, 'lost');
    await fixture.waitForWebhooks();
    expect(await readState()).toEqual({ balance: 0, owed: 30 });
    expect(await checkCredit()).toMatch(/owes 30 credits/);
  });

  it('lets no recharge be requested while it is open', async () => {
    await setRechargeSettingsAndEndPause(fixture.db, accountId, { below: 1, credits: 50 });
    await spend(50);
    fixture.stripe.state.openDispute(intent);
    await fixture.waitForWebhooks();
    expect(await new Recharger(fixture.db, fixture.cards.port).recharge(accountId)).toBe('disputed');
    expect(await fixture.payments(accountId)).toHaveLength(1);
  });

  it('that is lost pauses auto-recharge once, until its owner resumes it', async () => {
    const settings = { below: 1, credits: 50 };
    await setRechargeSettingsAndEndPause(fixture.db, accountId, settings);
    const { id } = fixture.stripe.state.openDispute(intent);
    await fixture.waitForWebhooks();
    expect(await findRechargeSettings(fixture.db, accountId)).toMatchObject({ pause: null });
    fixture.stripe.state.changeDispute(id, 'lost');
    await fixture.waitForWebhooks();
    expect(await findRechargeSettings(fixture.db, accountId)).toMatchObject({
      pause: { reason: 'dispute_lost' },
    });
    expect(await checkCredit()).toMatch(/a dispute was lost/);
    await setRechargeSettingsAndEndPause(fixture.db, accountId, settings);
    fixture.stripe.state.changeDispute(id, 'lost');
    await fixture.waitForWebhooks();
    expect(await checkCredit()).toBe('admitted');
  });

  it('that is won after it was lost returns the credits', async () => {
    const { id } = fixture.stripe.state.openDispute(intent, { amount: 2_000 });
    fixture.stripe.state.changeDispute(id, 'lost');
    await fixture.waitForWebhooks();
    expect(await readState()).toEqual({ balance: 30, owed: 0 });
    fixture.stripe.state.changeDispute(id, 'won');
    await fixture.waitForWebhooks();
    expect(await readState()).toEqual({ balance: 50, owed: 0 });
  });

  it('that is only an inquiry suspends nothing', async () => {
    fixture.stripe.state.openDispute(intent, { status: 'warning_needs_response' });
    await fixture.waitForWebhooks();
    expect(await listAccountDisputes()).toHaveLength(1);
    expect(await checkCredit()).toBe('admitted');
  });

  it('has the same result when events arrive in any order, twice, or not at all', async () => {
    Object.assign(fixture.stripe.webhooks, { mode: 'hold', copies: 2 });
    const { id } = fixture.stripe.state.openDispute(intent, { amount: 1_000 });
    fixture.stripe.state.changeDispute(id, 'under_review');
    fixture.stripe.state.changeDispute(id, 'lost');
    await fixture.stripe.webhooks.releaseInOrder((events) => events.toReversed());
    expect(await readState()).toEqual({ balance: 40, owed: 0 });
    fixture.stripe.webhooks.mode = 'drop';
    fixture.stripe.state.changeDispute(id, 'won');
    await fixture.cards.reconcile(0);
    expect(await readState()).toEqual({ balance: 50, owed: 0 });
  });
});
