import { type AuditActor, endAccount } from '@app/auth';
import { findStoredStripeCustomer } from '@app/billing';
import { inTransaction } from '@app/database';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CardPaymentsFixture, getSessionId } from '../support/stripe/card-payments-fixture.js';

const ACTOR: AuditActor = {
  kind: 'user',
  id: null,
  name: 'owner@example.org',
  address: null,
  requestId: null,
};

let fixture: CardPaymentsFixture;
let accountId: string;
beforeAll(async () => void (fixture = await CardPaymentsFixture.create()));
afterAll(() => fixture.close());
beforeEach(async () => {
  fixture.reset();
  accountId = await fixture.openAccount();
});

const ignore = () => Promise.resolve();
const end = () => inTransaction(fixture.db, (tx) => endAccount(tx, accountId, ACTOR));
const listEntries = async () =>
  (await fixture.statement(accountId)).entries.map(({ kind, amount }) => ({ kind, amount }));
const refundsOf = (reference: string | null | undefined) =>
  [...fixture.stripe.state.refunds.values()].filter(({ payment_intent }) => payment_intent === reference);

describe('the end of an account', () => {
  it('closes its checkout pages, so that nobody pays for it any more', async () => {
    const { url } = await fixture.cards.createTopUp(accountId, 50);
    await fixture.cards.closePayments(accountId, ignore);
    expect(fixture.stripe.state.sessions.get(getSessionId(url))?.status).toBe('expired');
    expect(await fixture.payments(accountId)).toMatchObject([{ state: 'expired', actionUrl: null }]);
    expect(() => fixture.stripe.state.payCheckout(getSessionId(url))).toThrow('expired');
    await fixture.cards.closePayments(accountId, ignore);
  });

  it('leaves a payment of before settled', async () => {
    fixture.stripe.webhooks.mode = 'drop';
    await fixture.buy(accountId);
    await fixture.cards.closePayments(accountId, ignore);
    await end();
    await fixture.cards.reconcile(0);
    expect(await fixture.payments(accountId)).toMatchObject([{ state: 'settled', refundedAmount: 0 }]);
    expect(await fixture.balance(accountId)).toBe(50);
  });

  it('fails while Stripe does, and can be repeated', async () => {
    await fixture.cards.createTopUp(accountId, 50);
    const unreachable = fixture.newCards({ apiUrl: 'http://127.0.0.1:9' });
    await expect(unreachable.closePayments(accountId, ignore)).rejects.toMatchObject({
      code: 'service_unavailable',
    });
    expect(await fixture.payments(accountId)).toMatchObject([{ state: 'checkout' }]);
    await fixture.cards.closePayments(accountId, ignore);
    expect(await fixture.payments(accountId)).toMatchObject([{ state: 'expired' }]);
  });
});

describe('a payment after the end of its account', () => {
  it('is refunded once, with its credits, and its card is removed', async () => {
    const { url } = await fixture.cards.createTopUp(accountId, 50);
    await end();
    fixture.stripe.state.payCheckout(getSessionId(url));
    await fixture.waitForWebhooks();
    await Promise.all([fixture.cards, fixture.newCards()].map((cards) => cards.reconcile(0)));
    await fixture.cards.reconcile(0);
    await fixture.waitForWebhooks();
    const [payment] = await fixture.payments(accountId);
    expect(payment).toMatchObject({ state: 'settled', refundedAmount: 5000, reversedCredits: 50 });
    expect(refundsOf(payment?.reference)).toMatchObject([{ amount: 5000, status: 'succeeded' }]);
    expect(await listEntries()).toEqual([
      { kind: 'reversal', amount: -50 },
      { kind: 'grant', amount: 50 },
    ]);
    expect(await findStoredStripeCustomer(fixture.db, accountId)).toMatchObject({ paymentMethodId: null });
    const { customerId = '' } = (await findStoredStripeCustomer(fixture.db, accountId)) ?? {};
    const attached = [...fixture.stripe.state.paymentMethods.values()];
    expect(attached.filter(({ customer }) => customer === customerId)).toEqual([]);
  });

  it('whose refund failed is left to the operator, whom the log tells', async () => {
    const { url } = await fixture.cards.createTopUp(accountId, 50);
    await end();
    fixture.stripe.state.payCheckout(getSessionId(url));
    await fixture.waitForWebhooks();
    await fixture.cards.reconcile(0);
    const [payment] = await fixture.payments(accountId);
    fixture.stripe.state.failRefund(refundsOf(payment?.reference)[0]?.id ?? '');
    await fixture.waitForWebhooks();
    await fixture.cards.reconcile(0);
    expect(refundsOf(payment?.reference)).toHaveLength(1);
    expect(fixture.warnings.join()).toContain(`refund ${payment?.reference} by hand`);
    fixture.warnings.length = 0;
    expect(await fixture.cards.reconcile(0)).toMatchObject({ refunds: 0 });
    expect(fixture.warnings).toEqual([]);
    await fixture.jobs.rows(
      `UPDATE payment SET asked_at = asked_at - interval '25 hours', ended_at = ended_at - interval '25 hours'
       WHERE id = $1`,
      payment?.id,
    );
    await fixture.jobs.rows(
      `UPDATE account SET ended_at = ended_at - interval '25 hours' WHERE id = $1`,
      accountId,
    );
    expect(await fixture.cards.reconcile(0)).toMatchObject({ refunds: 1 });
  });

  it('that Stripe refuses to refund does not fail reconciliation, and is over when its dispute is lost', async () => {
    const { url } = await fixture.cards.createTopUp(accountId, 50);
    await end();
    fixture.stripe.state.payCheckout(getSessionId(url));
    await fixture.waitForWebhooks();
    const reference = (await fixture.payments(accountId))[0]?.reference ?? '';
    const { id } = fixture.stripe.state.openDispute(reference);
    await fixture.waitForWebhooks();
    await fixture.cards.reconcile(0);
    expect(refundsOf(reference)).toEqual([]);
    expect(fixture.warnings.join()).toContain(`refund ${reference} by hand`);
    fixture.stripe.state.changeDispute(id, 'lost');
    await fixture.waitForWebhooks();
    await fixture.jobs.rows(
      `UPDATE payment SET asked_at = asked_at - interval '25 hours' WHERE account_id = $1`,
      accountId,
    );
    expect(await fixture.cards.reconcile(0)).toMatchObject({ refunds: 0 });
  });

  it('a checkout page that was opened meanwhile is closed', async () => {
    const { paymentId, url } = await fixture.cards.createTopUp(accountId, 50);
    await end();
    await fixture.jobs.rows(
      `UPDATE payment SET asked_at = now() - interval '1 hour' WHERE id = $1`,
      paymentId,
    );
    await fixture.cards.reconcile(0);
    expect(fixture.stripe.state.sessions.get(getSessionId(url))?.status).toBe('expired');
    expect(await fixture.payments(accountId)).toMatchObject([{ state: 'expired' }]);
  });
});
