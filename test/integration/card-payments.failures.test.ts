import { pauseRestoredCardRecharges, Recharger, setRechargeSettingsAndEndPause } from '@app/billing';
import { inTransaction } from '@app/database';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { CardPaymentsFixture } from '../support/stripe/card-payments-fixture.js';

let fixture: CardPaymentsFixture;
let accountId: string;
beforeAll(async () => void (fixture = await CardPaymentsFixture.create()));
afterAll(() => fixture.close());
beforeEach(async () => {
  fixture.stripe.webhooks.mode = 'deliver';
  fixture.stripe.requests.length = fixture.warnings.length = 0;
  // Stripe would repeat the failures of the test before for them.
  const unfinished = `state IN ('checkout', 'requested', 'action_required')`;
  await fixture.jobs.rows(`UPDATE payment SET state = 'expired', ended_at = now() WHERE ${unfinished}`);
  ({ accountId } = await fixture.openAccountWithCard());
  await setRechargeSettingsAndEndPause(fixture.db, accountId, { below: 1, credits: 50 });
});

const checkCredit = () => fixture.describeCreditCheck(accountId);
const countCharges = () => fixture.stripe.countRequests('POST', /^\/v1\/payment_intents$/);
const listPaidIntents = () =>
  [...fixture.stripe.state.intents.values()].filter(
    ({ metadata, status }) => metadata['account_id'] === accountId && status === 'succeeded',
  );
const backdate = (what: 'created_at' | 'asked_at' | 'ended_at', hours: number) =>
  fixture.jobs.rows(
    `UPDATE payment SET ${what} = ${what} - make_interval(hours => $2) WHERE account_id = $1`,
    accountId,
    hours,
  );

describe('a charge without a response', () => {
  const loseResponse = async () => {
    fixture.stripe.failNext(/payment_intents$/, 'no_answer_after');
    expect(await checkCredit()).toMatch(/asked for/);
    expect(listPaidIntents()).toHaveLength(1);
  };

  it('is granted by its webhook', async () => {
    await loseResponse();
    await fixture.waitForWebhooks();
    expect(await fixture.balance(accountId)).toBe(50);
    expect(await checkCredit()).toBe('admitted');
    expect(listPaidIntents()).toHaveLength(1);
  });

  it('is granted by reconciliation, with the same idempotency key', async () => {
    fixture.stripe.webhooks.mode = 'drop';
    await loseResponse();
    await backdate('asked_at', 1);
    await fixture.cards.reconcile(0);
    expect(await fixture.balance(accountId)).toBe(50);
    expect(listPaidIntents()).toHaveLength(1);
  });

  it('is only looked up once Stripe may have forgotten the key', async () => {
    fixture.stripe.webhooks.mode = 'drop';
    await loseResponse();
    fixture.stripe.forgetIdempotencyKeys();
    await backdate('created_at', 30);
    expect(await new Recharger(fixture.db, fixture.cards.port, 0).recharge(accountId)).toBe('paid');
    expect(await fixture.balance(accountId)).toBe(50);
    expect(countCharges()).toBe(1);
  });

  it.each<[string, () => Promise<unknown>]>([
    ['was turned off', () => setRechargeSettingsAndEndPause(fixture.db, accountId, null)],
    ['was paused', () => inTransaction(fixture.db, (tx) => pauseRestoredCardRecharges(tx))],
    [
      'waits for a top-up that pays what the account owes',
      () => fixture.jobs.rows('UPDATE account SET owed_credits = 1 WHERE id = $1', accountId),
    ],
    [
      'waits for the end of a dispute',
      async () => {
        await fixture.buy(accountId);
        await fixture.waitForWebhooks();
        const [bought] = listPaidIntents().toReversed();
        if (bought) fixture.stripe.state.openDispute(bought.id);
        await fixture.waitForWebhooks();
      },
    ],
  ])('is only looked up once auto-recharge %s', async (_, end) => {
    fixture.stripe.failNext(/payment_intents$/, 'reset_before', 'reset_before');
    expect(await checkCredit()).toMatch(/asked for/);
    await end();
    await backdate('asked_at', 1);
    const [charges, paid] = [countCharges(), listPaidIntents().length];
    await fixture.cards.reconcile(0);
    const recharges = (await fixture.payments(accountId)).filter(({ kind }) => kind === 'recharge');
    expect(recharges).toMatchObject([{ state: 'declined', failure: 'not_charged' }]);
    expect([countCharges(), listPaidIntents().length]).toEqual([charges, paid]);
  });

  it('is granted also when auto-recharge was turned off meanwhile', async () => {
    fixture.stripe.webhooks.mode = 'drop';
    await loseResponse();
    await setRechargeSettingsAndEndPause(fixture.db, accountId, null);
    await backdate('asked_at', 1);
    await fixture.cards.reconcile(0);
    expect(await fixture.balance(accountId)).toBe(50);
    expect(listPaidIntents()).toHaveLength(1);
  });

  it('is not repeated when auto-recharge was turned off while another payment was reconciled', async () => {
    const accounts = [accountId, (await fixture.openAccountWithCard()).accountId];
    for (const id of accounts) {
      await setRechargeSettingsAndEndPause(fixture.db, id, { below: 1, credits: 50 });
      fixture.stripe.failNext(/payment_intents$/, 'reset_before', 'reset_before');
      expect(await fixture.describeCreditCheck(id)).toMatch(/asked for/);
    }
    const original = Recharger.prototype.charge;
    const slow = vi.spyOn(Recharger.prototype, 'charge').mockImplementation(async function (
      this: Recharger,
      payment,
    ) {
      const outcome = await original.call(this, payment);
      for (const id of accounts) await setRechargeSettingsAndEndPause(fixture.db, id, null);
      return outcome;
    });
    await fixture.cards.reconcile(0);
    slow.mockRestore();
    const states = await Promise.all(accounts.map((id) => fixture.payments(id)));
    expect(
      states
        .flat()
        .map(({ state }) => state)
        .toSorted(),
    ).toEqual(['declined', 'settled']);
  });

  it('ends as declined after a day when nothing was charged', async () => {
    fixture.stripe.failNext(/payment_intents$/, 'reset_before', 'reset_before');
    expect(await checkCredit()).toMatch(/asked for/);
    await backdate('created_at', 30);
    expect(await new Recharger(fixture.db, fixture.cards.port, 0).recharge(accountId)).toBe('declined');
    expect(await fixture.payments(accountId)).toMatchObject([{ state: 'declined', failure: 'not_charged' }]);
    expect(listPaidIntents()).toEqual([]);
  });

  it('is found when card or price changed before it is repeated', async () => {
    fixture.stripe.webhooks.mode = 'drop';
    await loseResponse();
    const dearer = fixture.newCards({ creditPrice: '2' });
    expect(await new Recharger(fixture.db, dearer.port, 0).recharge(accountId)).toBe('paid');
    expect(await fixture.balance(accountId)).toBe(50);
    expect(listPaidIntents()).toHaveLength(1);
    await fixture.cards.reconcile(0);
    expect(await fixture.payments(accountId)).toMatchObject([{ amount: 5_000 }]);
  });

  it('is repeated at the price that the payment was added with', async () => {
    fixture.stripe.failNext(/payment_intents$/, 'reset_before', 'reset_before');
    expect(await checkCredit()).toMatch(/asked for/);
    const dearer = fixture.newCards({ creditPrice: '2', currency: 'eur' });
    expect(await new Recharger(fixture.db, dearer.port, 0).recharge(accountId)).toBe('paid');
    expect(await fixture.payments(accountId)).toMatchObject([{ amount: 5_000, currency: 'usd' }]);
    const amounts = [...fixture.stripe.state.intents.values()]
      .filter(({ metadata }) => metadata['account_id'] === accountId)
      .map(({ amount, currency }) => `${amount} ${currency}`);
    expect(amounts).toEqual(['5000 usd']);
  });

  it('that is reported as paid after it was recorded as declined is granted', async () => {
    fixture.stripe.webhooks.mode = 'hold';
    await loseResponse();
    await fixture.jobs.rows(
      `UPDATE payment SET state = 'declined', ended_at = now() WHERE account_id = $1`,
      accountId,
    );
    fixture.stripe.webhooks.release();
    await fixture.waitForWebhooks();
    expect(await fixture.payments(accountId)).toMatchObject([{ state: 'settled' }]);
    expect(await fixture.balance(accountId)).toBe(50);
  });
});

describe('while Stripe fails', () => {
  it.each(['error_500', 'rate_limited'] as const)('leaves the payment open: %s', async (fault) => {
    fixture.stripe.failNext(/payment_intents$/, fault);
    expect(await checkCredit()).toMatch(/asked for/);
    expect(await fixture.payments(accountId)).toMatchObject([{ state: 'requested' }]);
    await backdate('asked_at', 1);
    await fixture.cards.reconcile(0);
    expect(await fixture.balance(accountId)).toBe(50);
  });

  it('a failure that Stripe repeats for the idempotency key blocks auto-recharge for minutes only', async () => {
    fixture.stripe.failNext(/payment_intents$/, 'error_500_stored');
    expect(await checkCredit()).toMatch(/asked for/);
    const repeat = () => new Recharger(fixture.db, fixture.cards.port, 0).recharge(accountId);
    await expect(repeat()).rejects.toThrow(/unknown error/);
    expect(await fixture.payments(accountId)).toMatchObject([{ state: 'requested' }]);
    await backdate('created_at', 1);
    expect(await repeat()).toBe('declined');
    expect(await fixture.payments(accountId)).toMatchObject([{ state: 'declined', failure: 'not_charged' }]);
    await backdate('ended_at', 2);
    expect(await checkCredit()).toBe('admitted');
    expect(listPaidIntents()).toHaveLength(1);
  });

  it('a charge is found that was executed though the stored response is a failure', async () => {
    fixture.stripe.webhooks.mode = 'drop';
    fixture.stripe.failNext(/payment_intents$/, 'no_answer_after');
    expect(await checkCredit()).toMatch(/asked for/);
    fixture.stripe.failNext(/payment_intents$/, 'error_500');
    expect(await new Recharger(fixture.db, fixture.cards.port, 0).recharge(accountId)).toBe('paid');
    expect(listPaidIntents()).toHaveLength(1);
  });

  it('a charge that was being processed is declined when it has failed', async () => {
    fixture.stripe.webhooks.mode = 'drop';
    fixture.stripe.failNext(/payment_intents$/, 'no_answer_after');
    expect(await checkCredit()).toMatch(/asked for/);
    const intent = listPaidIntents()[0];
    if (!intent) throw new Error('no intent');
    fixture.stripe.replaceStoredStatus(intent.id, 'processing');
    Object.assign(intent, { status: 'requires_payment_method', latest_charge: null, amount_received: 0 });
    expect(await new Recharger(fixture.db, fixture.cards.port, 0).recharge(accountId)).toBe('declined');
  });

  it.each(['the failure is repeated', 'the account was renamed'])(
    'the first top-up can be repeated: %s',
    async (reason) => {
      const payer = await fixture.openAccount();
      fixture.stripe.failNext(
        /customers$/,
        ...(reason === 'the failure is repeated'
          ? (['error_500_stored'] as const)
          : (['reset_after', 'reset_after'] as const)),
      );
      await expect(fixture.cards.createTopUp(payer, 50)).rejects.toMatchObject({
        code: 'service_unavailable',
      });
      if (reason !== 'the failure is repeated')
        await fixture.jobs.rows(`UPDATE account SET name = 'renamed' WHERE id = $1`, payer);
      expect(await fixture.cards.createTopUp(payer, 50)).toMatchObject({ url: expect.any(String) });
    },
  );

  it('reconciliation continues after an error and reports the first one', async () => {
    fixture.stripe.webhooks.mode = 'drop';
    const paymentId = await fixture.buy(accountId);
    fixture.stripe.failNext(/sessions/, 'error_500');
    await backdate('asked_at', 1);
    await expect(fixture.cards.reconcile(0)).rejects.toThrow(/error/);
    expect(await fixture.balance(accountId)).toBe(50);
    expect(fixture.warnings).toEqual([expect.stringContaining(paymentId)]);
  });

  it('events are listed by one of several processes, and again when one could not be applied', async () => {
    await fixture.cards.reconcile(0);
    fixture.stripe.webhooks.mode = 'drop';
    await fixture.buy(accountId);
    const reports = await Promise.all(
      [fixture.cards, fixture.newCards()].map((cards) => cards.reconcile(60)),
    );
    expect(reports.map(({ events }) => events)).toEqual([null, null]);
    fixture.stripe.failNext(/payment_intents/, 'error_500', 'error_500');
    await expect(fixture.cards.reconcile(0)).rejects.toThrow(/error/);
    await vi.waitFor(async () => expect((await fixture.cards.reconcile(0)).events).toBe(0));
    expect(await fixture.balance(accountId)).toBe(50);
  });
});
