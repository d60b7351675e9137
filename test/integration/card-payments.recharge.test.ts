import {
  findRechargeSettings,
  grantOrDeductCredits,
  readCreditAndPaymentStatus,
  setRechargeSettingsAndEndPause,
} from '@app/billing';
import { inTransaction } from '@app/database';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { describePaymentPortContract } from '../../libs/billing/src/payments/payment-port.contract.js';
import { CardPaymentsFixture, getSessionId } from '../support/stripe/card-payments-fixture.js';
import type { FakeCard } from '../support/stripe/objects.js';

describePaymentPortContract('Stripe', async () => {
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
  await setRechargeSettingsAndEndPause(fixture.db, accountId, { below: 1, credits: 50 });
}

const checkCredit = () => fixture.describeCreditCheck(accountId);
const spend = (credits: number) =>
  inTransaction(fixture.db, (tx) => grantOrDeductCredits(tx, accountId, -credits, 'spent'));
const countCharges = () => fixture.stripe.countRequests('POST', /^\/v1\/payment_intents$/);
const listPaidIntents = () =>
  [...fixture.stripe.state.intents.values()].filter(
    ({ metadata, status }) => metadata['account_id'] === accountId && status === 'succeeded',
  );
const readSettings = () => findRechargeSettings(fixture.db, accountId);
const backdate = (what: 'created_at' | 'asked_at' | 'ended_at', hours: number) =>
  fixture.jobs.rows(
    `UPDATE payment SET ${what} = ${what} - make_interval(hours => $2) WHERE account_id = $1`,
    accountId,
    hours,
  );

describe('auto-recharge of a saved card', () => {
  it('charges once for each crossing of the threshold, and records the receipt', async () => {
    expect(await checkCredit()).toBe('admitted');
    expect(await checkCredit()).toBe('admitted');
    expect(countCharges()).toBe(1);
    await spend(50);
    expect(await checkCredit()).toBe('admitted');
    await fixture.waitForWebhooks();
    expect(await fixture.balance(accountId)).toBe(50);
    expect(listPaidIntents()).toHaveLength(2);
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
    await checkCredit();
    const [payment] = await fixture.payments(accountId);
    expect(fixture.stripe.requests.map(({ idempotencyKey }) => idempotencyKey)).toContain(payment?.id);
  });

  it('is declined without a request when no card is saved', async () => {
    await fixture.jobs.rows(
      'UPDATE stripe_customer SET payment_method_id = NULL WHERE account_id = $1',
      accountId,
    );
    expect(await checkCredit()).toMatch(/declined/);
    expect(countCharges()).toBe(0);
    expect(await fixture.payments(accountId)).toMatchObject([
      { state: 'declined', failure: 'no_saved_card' },
    ]);
  });

  it('ends at the monthly limit, and continues in the next month or with a higher one', async () => {
    const limited = (monthlyLimit: number) =>
      setRechargeSettingsAndEndPause(fixture.db, accountId, { below: 1, credits: 50, monthlyLimit });
    await limited(12_000);
    for (let charge = 0; charge < 2; charge += 1) {
      expect(await checkCredit()).toBe('admitted');
      await spend(50);
    }
    expect(await checkCredit()).toMatch(/monthly limit/);
    expect(countCharges()).toBe(2);
    await backdate('created_at', 32 * 24);
    expect(await checkCredit()).toBe('admitted');
    await spend(50);
    await limited(5_000);
    expect(await checkCredit()).toMatch(/monthly limit/);
    await limited(10_000);
    expect(await checkCredit()).toBe('admitted');
  });
});

describe('a monthly limit in another currency than payments are now', () => {
  it('lets nothing be charged until it is set again', async () => {
    const limit = { below: 1, credits: 50, monthlyLimit: 20_000 };
    await fixture.newCards({ currency: 'huf' }).saveAutoRecharge(accountId, limit, () => Promise.resolve());
    expect(await checkCredit()).toMatch(/another currency/);
    expect(countCharges()).toBe(0);
    expect(await findRechargeSettings(fixture.db, accountId, 'usd')).toMatchObject({
      pause: { reason: 'currency_changed' },
    });
    expect(await readCreditAndPaymentStatus(fixture.db, accountId, 'usd')).toMatchObject({
      isRechargePaused: true,
      isRechargeOn: false,
    });
    await fixture.buy(accountId);
    await fixture.waitForWebhooks();
    await spend(50);
    expect(await checkCredit()).toMatch(/another currency/);
    await fixture.cards.saveAutoRecharge(accountId, limit, () => Promise.resolve());
    expect(await checkCredit()).toBe('admitted');
  });

  it('is not reached by what was charged in that currency', async () => {
    expect(await checkCredit()).toBe('admitted');
    await spend(50);
    await fixture.jobs.rows(`UPDATE payment SET currency = 'huf' WHERE account_id = $1`, accountId);
    const limit = { below: 1, credits: 50, monthlyLimit: 5_000 };
    await fixture.cards.saveAutoRecharge(accountId, limit, () => Promise.resolve());
    expect(await checkCredit()).toBe('admitted');
  });
});

describe('a declined card', () => {
  it('is charged again after an hour, up to three consecutive attempts', async () => {
    fixture.stripe.state.setCard(method, { offSession: { decline: 'insufficient_funds' } });
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      expect(await checkCredit()).toMatch(/declined/);
      expect(await checkCredit()).toMatch(/declined/);
      expect(countCharges()).toBe(attempt);
      await fixture.jobs.rows(
        `UPDATE auto_recharge SET changed_at = changed_at - interval '1 day' WHERE account_id = $1`,
        accountId,
      );
      await backdate('ended_at', 2);
    }
    expect((await readSettings())?.pause).toMatchObject({ reason: 'declined' });
    expect(await checkCredit()).toMatch(/paused/);
    expect(countCharges()).toBe(3);
    fixture.stripe.state.setCard(method, { offSession: 'succeeds' });
    await setRechargeSettingsAndEndPause(fixture.db, accountId, { below: 1, credits: 50 });
    expect(await checkCredit()).toBe('admitted');
  });

  it.each([{ decline: 'stolen_card' }, { decline: 'generic_decline', advice: 'do_not_try_again' }])(
    'that will never work pauses auto-recharge at once: %j',
    async (offSession) => {
      fixture.stripe.state.setCard(method, { offSession });
      expect(await checkCredit()).toMatch(/declined|paused/);
      expect((await readSettings())?.pause).toMatchObject({ reason: 'declined' });
    },
  );

  it('that was removed at Stripe pauses auto-recharge, and a top-up with another one resumes it', async () => {
    fixture.stripe.state.paymentMethods.delete(method);
    await checkCredit();
    expect((await readSettings())?.pause).toMatchObject({ reason: 'declined' });
    expect(await fixture.payments(accountId)).toMatchObject([{ failure: 'resource_missing' }]);
    await fixture.buy(accountId);
    await fixture.waitForWebhooks();
    expect((await readSettings())?.pause).toBeNull();
    await spend(50);
    expect(await checkCredit()).toBe('admitted');
  });
});

describe('a card whose bank requires authentication', () => {
  beforeEach(() => openAccount({ onSession: 'succeeds', offSession: 'authentication_required' }));
  const openAction = async () => {
    expect(await checkCredit()).toMatch(/confirm/);
    const [payment] = await fixture.payments(accountId);
    return payment;
  };

  it('is not charged again, and its owner gets a URL to complete the payment', async () => {
    const payment = await openAction();
    expect(payment).toMatchObject({
      state: 'action_required',
      failure: 'authentication_required',
      actionUrl: expect.stringContaining('/pay/'),
    });
    expect((await readSettings())?.pause).toMatchObject({ reason: 'authentication_required' });
    for (let attempt = 0; attempt < 3; attempt += 1) expect(await checkCredit()).toMatch(/confirm/);
    await backdate('asked_at', 48);
    await fixture.cards.reconcile(0);
    expect(countCharges()).toBe(1);
    expect(await fixture.payments(accountId)).toHaveLength(1);
    expect(fixture.stripe.state.getIntent(payment?.reference ?? '').status).toBe('canceled');
  });

  it('is charged once when the owner completes the payment, and auto-recharge continues', async () => {
    const payment = await openAction();
    fixture.stripe.state.payCheckout(getSessionId(payment?.actionUrl ?? ''));
    await fixture.waitForWebhooks();
    expect(await fixture.balance(accountId)).toBe(50);
    expect(await fixture.payments(accountId)).toMatchObject([
      { id: payment?.id, state: 'settled', failure: null },
    ]);
    expect(listPaidIntents()).toHaveLength(1);
    expect((await readSettings())?.pause).toBeNull();
    await spend(50);
    expect(await checkCredit()).toBe('admitted');
  });

  it('stays paused when the URL expires unused', async () => {
    const payment = await openAction();
    fixture.stripe.state.expireCheckout(getSessionId(payment?.actionUrl ?? ''));
    await fixture.waitForWebhooks();
    expect(await fixture.payments(accountId)).toMatchObject([{ state: 'expired', actionUrl: null }]);
    expect(await checkCredit()).toMatch(/paused: a payment was declined or not confirmed/);
    expect(await readCreditAndPaymentStatus(fixture.db, accountId)).toMatchObject({
      paymentsToConfirm: 0,
      isRechargePaused: true,
    });
    await setRechargeSettingsAndEndPause(fixture.db, accountId, { below: 1, credits: 50 });
    expect(await readCreditAndPaymentStatus(fixture.db, accountId)).toMatchObject({
      isRechargePaused: false,
    });
    expect(countCharges()).toBe(1);
  });

  it.each([/cancel$/, /sessions$/])('completes its steps later when %s failed', async (path) => {
    fixture.stripe.failNext(path, 'error_500');
    expect(await checkCredit()).toMatch(/asked for/);
    expect(await fixture.payments(accountId)).toMatchObject([{ state: 'requested' }]);
    await backdate('asked_at', 1);
    await fixture.cards.reconcile(0);
    expect(await fixture.payments(accountId)).toMatchObject([{ state: 'action_required' }]);
    expect(listPaidIntents()).toEqual([]);
    const sessions = [...fixture.stripe.state.sessions.values()];
    expect(sessions.filter(({ metadata }) => metadata['account_id'] === accountId)).toHaveLength(1);
  });
});
