import { findStoredStripeCustomer } from '@app/billing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CardPaymentsFixture, getSessionId } from '../support/stripe/card-payments-fixture.js';
import type { StripeEventObject } from '../support/stripe/objects.js';

let fixture: CardPaymentsFixture;
let accountId: string;
beforeAll(async () => void (fixture = await CardPaymentsFixture.create()));
afterAll(() => fixture.close());
beforeEach(async () => {
  fixture.reset();
  accountId = await fixture.openAccount();
});

const listGrants = async () =>
  (await fixture.statement(accountId)).entries.map(({ kind, amount, paymentId }) => ({
    kind,
    amount,
    paymentId,
  }));
const expectedGrants = (paymentId: string) => [{ kind: 'grant', amount: 50, paymentId }];

describe('a top-up', () => {
  it('is granted by the webhook, with receipt, intent and saved card', async () => {
    const { paymentId, url } = await fixture.cards.createTopUp(accountId, 50);
    expect(await fixture.payments(accountId)).toMatchObject([
      { id: paymentId, state: 'checkout', kind: 'top_up', amount: 5000, currency: 'usd', actionUrl: url },
    ]);
    expect(await listGrants()).toEqual([]);
    fixture.stripe.state.payCheckout(getSessionId(url));
    await fixture.waitForWebhooks();
    expect(await listGrants()).toEqual(expectedGrants(paymentId));
    expect(await fixture.payments(accountId)).toMatchObject([
      {
        state: 'settled',
        reference: expect.stringMatching(/^pi_/),
        receiptUrl: expect.stringContaining('/receipts/'),
        actionUrl: null,
        endedAt: expect.any(Date),
      },
    ]);
    expect(await findStoredStripeCustomer(fixture.db, accountId)).toMatchObject({
      paymentMethodId: expect.stringMatching(/^pm_/),
      cardBrand: 'visa',
      cardLast4: '4242',
      cardExpires: '2034-04',
    });
  });

  it('sends the customer back to the console with the id of the payment', async () => {
    const { paymentId, url } = await fixture.cards.createTopUp(accountId, 50);
    const session = fixture.stripe.state.sessions.get(getSessionId(url));
    expect(session?.success_url).toBe(
      `http://127.0.0.1:3000/console/billing?payment=${paymentId}&result=paid`,
    );
    expect(session?.metadata).toEqual({ payment_id: paymentId, account_id: accountId });
  });

  it('concurrent top-ups of an account use one customer', async () => {
    await Promise.all([fixture.cards, fixture.newCards()].map((cards) => cards.createTopUp(accountId, 50)));
    const customers = [...fixture.stripe.state.customers.values()];
    expect(customers.filter(({ metadata }) => metadata['account_id'] === accountId)).toHaveLength(1);
  });

  it('uses a new customer when the old one was deleted at Stripe', async () => {
    await fixture.buy(accountId);
    await fixture.waitForWebhooks();
    const deleted = await findStoredStripeCustomer(fixture.db, accountId);
    fixture.stripe.state.customers.delete(deleted?.customerId ?? '');
    await fixture.buy(accountId);
    await fixture.waitForWebhooks();
    const current = await findStoredStripeCustomer(fixture.db, accountId);
    expect(current?.customerId).not.toBe(deleted?.customerId);
    expect(current?.paymentMethodId).toMatch(/^pm_/);
    expect(await fixture.balance(accountId)).toBe(100);
  });

  it('is granted once and acknowledged each time, however often and in which order its events arrive', async () => {
    const orders: ((events: StripeEventObject[]) => StripeEventObject[])[] = [
      (events) => events,
      (events) => events.toReversed(),
      (events) => events.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    ];
    for (const order of orders) {
      accountId = await fixture.openAccount();
      Object.assign(fixture.stripe.webhooks, { mode: 'hold', copies: 3 });
      const paymentId = await fixture.buy(accountId);
      await fixture.stripe.webhooks.releaseInOrder(order);
      expect(await listGrants()).toEqual(expectedGrants(paymentId));
      expect(fixture.stripe.webhooks.attempts.filter(({ status }) => status !== 200)).toEqual([]);
    }
  });

  it('is granted once when webhooks, the returning customer and reconciliation are concurrent', async () => {
    Object.assign(fixture.stripe.webhooks, { mode: 'hold', copies: 2 });
    const paymentId = await fixture.buy(accountId);
    const other = fixture.newCards();
    fixture.stripe.webhooks.release();
    await Promise.all([
      fixture.cards.refreshPayment(accountId, paymentId),
      other.refreshPayment(accountId, paymentId),
      fixture.cards.reconcile(0),
      other.reconcile(0),
    ]);
    await fixture.waitForWebhooks();
    expect(await listGrants()).toEqual(expectedGrants(paymentId));
    const events = await fixture.jobs.rows<{ type: string }>(
      'SELECT type FROM payment_event WHERE payment_id = $1 ORDER BY type',
      paymentId,
    );
    expect(events.map(({ type }) => type)).toEqual([
      'checkout.session.completed',
      'payment_intent.succeeded',
    ]);
  });

  it('is granted by reconciliation when every webhook is lost', async () => {
    fixture.stripe.webhooks.mode = 'drop';
    const paymentId = await fixture.buy(accountId);
    expect(await listGrants()).toEqual([]);
    await fixture.cards.reconcile(0);
    expect(await listGrants()).toEqual(expectedGrants(paymentId));
    expect((await fixture.cards.reconcile(0)).events).toBe(0);
  });

  it('is shown to the returning customer before any webhook, but to no other account', async () => {
    fixture.stripe.webhooks.mode = 'drop';
    const paymentId = await fixture.buy(accountId);
    expect(await fixture.cards.refreshPayment(await fixture.openAccount(), paymentId)).toBeNull();
    expect(await fixture.cards.refreshPayment(accountId, paymentId)).toMatchObject({ state: 'settled' });
    expect(await fixture.balance(accountId)).toBe(50);
  });

  it('continues after a declined card, because the page accepts another one', async () => {
    const { paymentId, url } = await fixture.cards.createTopUp(accountId, 50);
    const session = getSessionId(url);
    const declined = { onSession: { decline: 'insufficient_funds' }, offSession: 'succeeds' } as const;
    expect(fixture.stripe.state.payCheckout(session, declined)).toBe(false);
    await fixture.waitForWebhooks();
    expect(await fixture.payments(accountId)).toMatchObject([{ state: 'checkout' }]);
    expect(fixture.stripe.state.payCheckout(session)).toBe(true);
    await fixture.waitForWebhooks();
    expect(await listGrants()).toEqual(expectedGrants(paymentId));
  });

  it.each(['deliver', 'drop'] as const)('expires with its page (webhooks: %s)', async (mode) => {
    fixture.stripe.webhooks.mode = mode;
    const { url } = await fixture.cards.createTopUp(accountId, 50);
    fixture.stripe.state.expireCheckout(getSessionId(url));
    await fixture.waitForWebhooks();
    if (mode === 'drop') await fixture.cards.reconcile(0);
    expect(await fixture.payments(accountId)).toMatchObject([{ state: 'expired', actionUrl: null }]);
    expect(await listGrants()).toEqual([]);
  });

  it('ends as expired when Stripe cannot create the page', async () => {
    fixture.stripe.failNext(/sessions/, 'error_500');
    await expect(fixture.cards.createTopUp(accountId, 50)).rejects.toMatchObject({
      code: 'service_unavailable',
    });
    expect(await fixture.payments(accountId)).toMatchObject([{ state: 'expired' }]);
  });

  it('saves the card of the newest payment, not of one that is reported late', async () => {
    fixture.stripe.webhooks.mode = 'hold';
    await fixture.buy(accountId, 50, { onSession: 'succeeds', offSession: 'succeeds', last4: '1111' });
    await fixture.stripe.webhooks.releaseInOrder((events) => events);
    await fixture.buy(accountId, 50, { onSession: 'succeeds', offSession: 'succeeds', last4: '2222' });
    await fixture.waitForWebhooks();
    expect(await findStoredStripeCustomer(fixture.db, accountId)).toMatchObject({ cardLast4: '2222' });
    await fixture.cards.reconcile(0);
    expect(await findStoredStripeCustomer(fixture.db, accountId)).toMatchObject({ cardLast4: '2222' });
  });
});

describe('a webhook', () => {
  const createSessionEvent = async (paid = true) => {
    fixture.stripe.webhooks.mode = 'drop';
    const paymentId = paid ? await fixture.buy(accountId) : '';
    const event = fixture.stripe.state.events.findLast(({ type }) => type === 'checkout.session.completed');
    if (!event) throw new Error('no event');
    return { paymentId, event };
  };
  const deliver = (event: StripeEventObject, options: { secret?: string; at?: number } = {}) => {
    const { headers, body } = fixture.stripe.webhooks.sign(event, options);
    return fixture.cards.handleWebhook(Buffer.from(body), headers['Stripe-Signature'] ?? '');
  };

  it('with a wrong, old or missing signature changes nothing', async () => {
    const { event } = await createSessionEvent();
    expect(await deliver(event, { secret: 'whsec_other' })).toBe(false);
    expect(await deliver(event, { at: Math.floor(Date.now() / 1000) - 600 })).toBe(false);
    const { body } = fixture.stripe.webhooks.sign(event);
    for (const signature of ['', 'v1=abc', 't=1']) {
      expect(await fixture.cards.handleWebhook(Buffer.from(body), signature)).toBe(false);
    }
    expect(await listGrants()).toEqual([]);
    expect(await deliver(event)).toBe(true);
    expect(await listGrants()).toHaveLength(1);
  });

  it('that claims a payment which Stripe does not confirm grants nothing', async () => {
    const { url } = await fixture.cards.createTopUp(accountId, 50);
    const { event } = await createSessionEvent();
    const open = fixture.stripe.state.sessions.get(getSessionId(url));
    if (!open) throw new Error('no session');
    const other = await fixture.openAccount();
    accountId = other;
    await deliver({ ...event, id: 'evt_forged', data: { object: { ...open, payment_status: 'paid' } } });
    expect(await fixture.balance(other)).toBe(0);
  });

  it('is not acknowledged while Stripe does not respond, and is applied when it is sent again', async () => {
    const { paymentId, event } = await createSessionEvent();
    fixture.stripe.failNext(/payment_intents/, 'error_500');
    await expect(deliver(event)).rejects.toMatchObject({ code: 'service_unavailable' });
    expect(await listGrants()).toEqual([]);
    expect(await deliver(event)).toBe(true);
    expect(await listGrants()).toEqual(expectedGrants(paymentId));
  });

  it('about an object of another application is acknowledged and ignored', async () => {
    const customer = fixture.stripe.state.createCustomer('another shop', {});
    const method = fixture.stripe.state.createPaymentMethod(customer.id);
    const intent = fixture.stripe.state.createIntent({
      amount: 5_000,
      currency: 'usd',
      customer: customer.id,
      metadata: { order: '7' },
    });
    fixture.stripe.state.confirmIntent(intent, method.id, 'on');
    fixture.stripe.state.createRefund(intent.id);
    await fixture.waitForWebhooks();
    expect(fixture.stripe.webhooks.attempts.every(({ status }) => status === 200)).toBe(true);
    expect(fixture.warnings).toEqual([]);
  });

  it('about a payment without a row is reported in the log', async () => {
    const { paymentId, event } = await createSessionEvent();
    // As intents of earlier versions are.
    for (const { metadata } of fixture.stripe.state.intents.values()) delete metadata['credits'];
    await fixture.jobs.rows('DELETE FROM payment WHERE id = $1', paymentId);
    expect(await deliver(event)).toBe(true);
    expect(fixture.warnings).toEqual([expect.stringContaining(paymentId)]);
    expect(await listGrants()).toEqual([]);
  });
});
