import { findRechargeSettings, grantCredits, setRechargeSettings } from '@app/billing';
import { inTransaction } from '@app/database';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { describePaymentPort } from '../../libs/billing/src/payments/payment-port.contract.js';
import { CardPaymentsFixture, getSessionId } from '../support/stripe/card-payments-fixture.js';
import type { FakeCard } from '../support/stripe/objects.js';

describePaymentPort('Stripe', async () => {
  const contractFixture = await CardPaymentsFixture.create();
  contractFixture.stripe.webhooks.mode = 'drop';
  const methods = new Map<string, string>();
  return {
    port: contractFixture.cards.port,
    dataSource: contractFixture.db,
    openAccount: async (credits: number) => {
      const { accountId: id, method } = await contractFixture.openAccountWithCard(credits);
      methods.set(id, method);
      return id;
    },
    declineNextCharge: (id) =>
      contractFixture.stripe.state.setCard(methods.get(id) ?? '', {
        offSession: { decline: 'insufficient_funds' },
      }),
    // The client repeats a request once whose connection was reset.
    loseNextResponse: () => contractFixture.stripe.failNext(/payment_intents/, 'reset_after', 'reset_after'),
    close: () => contractFixture.close(),
  };
});

let fixture: CardPaymentsFixture;
let accountId: string;
let method: string;
beforeAll(async () => void (fixture = await CardPaymentsFixture.create()));
afterAll(() => fixture.close());
beforeEach(async () => {
  fixture.stripe.webhooks.mode = 'deliver';
  fixture.stripe.requests.length = fixture.warnings.length = 0;
  await openAccount();
});

async function openAccount(card?: FakeCard): Promise<void> {
  ({ accountId, method } = await fixture.openAccountWithCard(0, card));
  await setRechargeSettings(fixture.db, accountId, { below: 1, credits: 50 });
}

const create = () =>
  fixture
    .creditCheck()
    .assertCreditOrRecharge(accountId)
    .then(
      () => 'admitted',
      (error: { detail?: string; message: string }) => error.detail ?? error.message,
    );
const spend = (credits: number) =>
  inTransaction(fixture.db, (tx) => grantCredits(tx, accountId, -credits, 'spent'));
const charges = () => fixture.stripe.countRequests('POST', /^\/v1\/payment_intents$/);
const paidIntents = () =>
  [...fixture.stripe.state.intents.values()].filter(
    ({ metadata, status }) => metadata['account_id'] === accountId && status === 'succeeded',
  );
const settings = () => findRechargeSettings(fixture.db, accountId);
const age = (what: 'created_at' | 'asked_at' | 'ended_at', hours: number) =>
  fixture.jobs.rows(
    `UPDATE payment SET ${what} = ${what} - make_interval(hours => $2) WHERE account_id = $1 RETURNING id`,
    accountId,
    hours,
  );

describe('auto-recharge of a saved card', () => {
  it('charges once for each crossing of the threshold, and records the receipt', async () => {
    expect(await create()).toBe('admitted');
    expect(await create()).toBe('admitted');
    expect(charges()).toBe(1);
    await spend(50);
    expect(await create()).toBe('admitted');
    await fixture.untilDelivered();
    expect(await fixture.balance(accountId)).toBe(50);
    expect(paidIntents()).toHaveLength(2);
    expect(await fixture.payments(accountId)).toMatchObject(
      [1, 2].map(() => ({
        state: 'settled',
        provider: 'stripe',
        kind: 'recharge',
        amount: 5_000,
        receiptUrl: expect.stringContaining('/receipts/'),
      })),
    );
  });

  it('sends the id of the payment as idempotency key', async () => {
    await create();
    const [payment] = await fixture.payments(accountId);
    expect(fixture.stripe.requests.map(({ idempotencyKey }) => idempotencyKey)).toContain(payment?.id);
  });

  it('is declined without a request when no card is saved', async () => {
    await fixture.jobs.rows(
      'UPDATE stripe_customer SET payment_method_id = NULL WHERE account_id = $1 RETURNING account_id',
      accountId,
    );
    expect(await create()).toMatch(/declined/);
    expect(charges()).toBe(0);
    expect(await fixture.payments(accountId)).toMatchObject([
      { state: 'declined', failure: 'no_saved_card' },
    ]);
  });

  it('ends at the monthly limit, and continues in the next month or with a higher one', async () => {
    const limited = (monthlyLimit: number) =>
      setRechargeSettings(fixture.db, accountId, { below: 1, credits: 50, monthlyLimit });
    await limited(12_000);
    for (let charge = 0; charge < 2; charge += 1) {
      expect(await create()).toBe('admitted');
      await spend(50);
    }
    expect(await create()).toMatch(/monthly limit/);
    expect(charges()).toBe(2);
    await age('created_at', 32 * 24);
    expect(await create()).toBe('admitted');
    await spend(50);
    await limited(5_000);
    expect(await create()).toMatch(/monthly limit/);
    await limited(10_000);
    expect(await create()).toBe('admitted');
  });
});

describe('a declined card', () => {
  it('is tried again after an hour, three times in a row, and then no more', async () => {
    fixture.stripe.state.setCard(method, { offSession: { decline: 'insufficient_funds' } });
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      expect(await create()).toMatch(/declined/);
      expect(await create()).toMatch(/declined/);
      expect(charges()).toBe(attempt);
      await fixture.jobs.rows(
        `UPDATE auto_recharge SET changed_at = changed_at - interval '1 day' WHERE account_id = $1 RETURNING account_id`,
        accountId,
      );
      await age('ended_at', 2);
    }
    expect((await settings())?.pause).toMatchObject({ reason: 'declined' });
    expect(await create()).toMatch(/paused/);
    expect(charges()).toBe(3);
    fixture.stripe.state.setCard(method, { offSession: 'succeeds' });
    await setRechargeSettings(fixture.db, accountId, { below: 1, credits: 50 });
    expect(await create()).toBe('admitted');
  });

  it.each([{ decline: 'stolen_card' }, { decline: 'generic_decline', advice: 'do_not_try_again' }])(
    'that will never work pauses auto-recharge at once: %j',
    async (offSession) => {
      fixture.stripe.state.setCard(method, { offSession });
      expect(await create()).toMatch(/declined|paused/);
      expect((await settings())?.pause).toMatchObject({ reason: 'declined' });
    },
  );

  it('that was removed at Stripe pauses auto-recharge, and a top-up with another one resumes it', async () => {
    fixture.stripe.state.paymentMethods.delete(method);
    await create();
    expect((await settings())?.pause).toMatchObject({ reason: 'declined' });
    expect(await fixture.payments(accountId)).toMatchObject([{ failure: 'resource_missing' }]);
    await fixture.buy(accountId);
    await fixture.untilDelivered();
    expect((await settings())?.pause).toBeNull();
    await spend(50);
    expect(await create()).toBe('admitted');
  });
});

describe('a card whose bank wants its owner', () => {
  beforeEach(() => openAccount({ onSession: 'succeeds', offSession: 'authentication_required' }));
  const openAction = async () => {
    expect(await create()).toMatch(/confirm/);
    const [payment] = await fixture.payments(accountId);
    return payment;
  };

  it('is not charged again without the owner, who gets an address to complete the payment', async () => {
    const payment = await openAction();
    expect(payment).toMatchObject({
      state: 'action_required',
      failure: 'authentication_required',
      actionUrl: expect.stringContaining('/pay/'),
    });
    expect((await settings())?.pause).toMatchObject({ reason: 'authentication_required' });
    for (let attempt = 0; attempt < 3; attempt += 1) expect(await create()).toMatch(/confirm/);
    await age('asked_at', 48);
    await fixture.cards.reconcile(0);
    expect(charges()).toBe(1);
    expect(await fixture.payments(accountId)).toHaveLength(1);
    expect(fixture.stripe.state.getIntent(payment?.reference ?? '').status).toBe('canceled');
  });

  it('is charged once when the owner completes the payment, and auto-recharge goes on', async () => {
    const payment = await openAction();
    fixture.stripe.state.payCheckout(getSessionId(payment?.actionUrl ?? ''));
    await fixture.untilDelivered();
    expect(await fixture.balance(accountId)).toBe(50);
    expect(await fixture.payments(accountId)).toMatchObject([
      { id: payment?.id, state: 'settled', failure: null },
    ]);
    expect(paidIntents()).toHaveLength(1);
    expect((await settings())?.pause).toBeNull();
    await spend(50);
    expect(await create()).toBe('admitted');
  });

  it('stays paused when the address expires unused', async () => {
    const payment = await openAction();
    fixture.stripe.state.expireCheckout(getSessionId(payment?.actionUrl ?? ''));
    await fixture.untilDelivered();
    expect(await fixture.payments(accountId)).toMatchObject([{ state: 'expired', actionUrl: null }]);
    expect(await create()).toMatch(/paused/);
    expect(charges()).toBe(1);
  });

  it.each([/cancel$/, /sessions$/])('completes its steps later when %s failed', async (path) => {
    fixture.stripe.failNext(path, 'error_500');
    expect(await create()).toMatch(/asked for/);
    expect(await fixture.payments(accountId)).toMatchObject([{ state: 'requested' }]);
    await age('asked_at', 1);
    await fixture.cards.reconcile(0);
    expect(await fixture.payments(accountId)).toMatchObject([{ state: 'action_required' }]);
    expect(paidIntents()).toEqual([]);
    const sessions = [...fixture.stripe.state.sessions.values()];
    expect(sessions.filter(({ metadata }) => metadata['account_id'] === accountId)).toHaveLength(1);
  });
});
