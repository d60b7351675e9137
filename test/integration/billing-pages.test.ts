import {
  findAccountPayment,
  grantOrDeductCredits,
  readBillingOverview,
  readLedgerPage,
  readPaymentListPage,
  readUsageByDayKeyAndAudioSource,
} from '@app/billing';
import { inTransaction } from '@app/database';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CardPaymentsFixture } from '../support/stripe/card-payments-fixture.js';

let fixture: CardPaymentsFixture;
let accountId: string;
beforeAll(async () => void (fixture = await CardPaymentsFixture.create()));
afterAll(() => fixture.close());
beforeEach(async () => void (accountId = await fixture.openAccount()));

const readOverview = (cards: typeof fixture.cards | null = fixture.cards) =>
  readBillingOverview(fixture.db, accountId, cards);
const ignore = () => Promise.resolve();
const invalidField = (field: string) => ({
  code: 'validation_failed',
  errors: [{ field, message: expect.any(String) }],
});

describe('readBillingOverview', () => {
  it('has balance, packages, saved card, auto-recharge and what was recharged this month', async () => {
    await fixture.buy(accountId);
    await fixture.waitForWebhooks();
    const recharge = { below: 10, credits: 100, monthlyLimit: 20_000 };
    await fixture.cards.saveAutoRecharge(accountId, recharge, ignore);
    expect(await readOverview()).toEqual({
      balance: 50,
      held: 0,
      owed: 0,
      isDisputed: false,
      isSuspended: false,
      alertBelow: null,
      paymentsToConfirm: 0,
      isRechargePaused: false,
      isRechargeOn: true,
      autoRecharge: { ...recharge, limitCurrency: 'usd', pause: null },
      cardPayments: {
        currency: 'usd',
        packages: [
          { credits: 50, amount: 5_000, currency: 'usd' },
          { credits: 100, amount: 10_000, currency: 'usd' },
        ],
        savedCard: { brand: 'visa', last4: '4242', expires: '2034-04' },
        rechargedThisMonth: 0,
      },
    });
    await inTransaction(fixture.db, (tx) => grantOrDeductCredits(tx, accountId, -50, 'spent'));
    await fixture.creditCheck().assertCreditOrRecharge(accountId);
    expect(await readOverview()).toMatchObject({
      balance: 100,
      cardPayments: { rechargedThisMonth: 10_000 },
    });
  });

  it('has no card payments if the operator collects payments, and is null for an unknown account', async () => {
    expect(await readOverview(null)).toMatchObject({ balance: 0, autoRecharge: null, cardPayments: null });
    accountId = '00000000-0000-7000-8000-000000000000';
    expect(await readOverview()).toBeNull();
  });
});

describe('settings by customers', () => {
  it('only packages can be bought', async () => {
    await expect(fixture.cards.createPackageTopUp(accountId, 51, ignore)).rejects.toMatchObject(
      invalidField('credits'),
    );
    expect(await fixture.payments(accountId)).toEqual([]);
    const { url } = await fixture.cards.createPackageTopUp(accountId, 100, ignore);
    expect(await fixture.payments(accountId)).toMatchObject([{ amount: 10_000, actionUrl: url }]);
  });

  it('auto-recharge requires a saved card, a package that raises the balance above the threshold, and a limit above its price', async () => {
    const save = (below: number, credits: number, monthlyLimit: number | null = null) =>
      fixture.cards.saveAutoRecharge(accountId, { below, credits, monthlyLimit }, ignore);
    await expect(save(1, 50)).rejects.toMatchObject(invalidField('credits'));
    await fixture.buy(accountId);
    await fixture.waitForWebhooks();
    await expect(save(1, 51)).rejects.toMatchObject(invalidField('credits'));
    for (const below of [0, 51, 1.5])
      await expect(save(below, 50)).rejects.toMatchObject(invalidField('below'));
    await expect(save(1, 50, 4_999)).rejects.toMatchObject(invalidField('monthly_limit'));
    await save(50, 50, 5_000);
    expect(await readOverview()).toMatchObject({
      autoRecharge: { below: 50, credits: 50, monthlyLimit: 5_000 },
    });
    await fixture.cards.saveAutoRecharge(accountId, null, ignore);
    expect(await readOverview()).toMatchObject({ autoRecharge: null });
  });
});

describe('removing the card', () => {
  it('removes every card of the account at Stripe and ends auto-recharge, in one step that is recorded', async () => {
    await fixture.buy(accountId);
    await fixture.waitForWebhooks();
    await fixture.buy(accountId);
    await fixture.waitForWebhooks();
    await fixture.cards.saveAutoRecharge(accountId, { below: 1, credits: 50, monthlyLimit: null }, ignore);
    const listAttachedCards = () => {
      const customers = [...fixture.stripe.state.customers.values()];
      const customer = customers.find(({ metadata }) => metadata['account_id'] === accountId);
      return [...fixture.stripe.state.paymentMethods.values()].filter(
        (each) => each.customer === customer?.id,
      );
    };
    expect(listAttachedCards()).toHaveLength(2);
    const recorded: string[] = [];
    const removeCard = () =>
      fixture.cards.removeSavedCard(accountId, () => Promise.resolve(void recorded.push('removed')));
    await Promise.all([removeCard(), removeCard()].map((removal) => removal.catch(() => undefined)));
    await removeCard();
    expect(listAttachedCards()).toEqual([]);
    expect(recorded).toEqual(['removed']);
    expect(await readOverview()).toMatchObject({ autoRecharge: null, cardPayments: { savedCard: null } });
  });

  it('changes nothing while Stripe does not respond', async () => {
    await fixture.buy(accountId);
    await fixture.waitForWebhooks();
    fixture.stripe.failNext(/payment_methods/, 'error_500');
    await expect(fixture.cards.removeSavedCard(accountId, ignore)).rejects.toMatchObject({
      code: 'service_unavailable',
    });
    expect(await readOverview()).toMatchObject({ cardPayments: { savedCard: { last4: '4242' } } });
  });

  it('ends auto-recharge even if the operator already removed the card at Stripe', async () => {
    await fixture.buy(accountId);
    await fixture.waitForWebhooks();
    for (const method of fixture.stripe.state.paymentMethods.values())
      if (method.customer !== null) fixture.stripe.state.detachPaymentMethod(method.id);
    await fixture.cards.removeSavedCard(accountId, ignore);
    expect(await readOverview()).toMatchObject({ cardPayments: { savedCard: null } });
  });
});

it('a checkout page at another host is not offered', async () => {
  const cards = fixture.newCards({ checkoutHost: 'checkout.stripe.com' });
  await expect(cards.createPackageTopUp(accountId, 50, ignore)).rejects.toThrow(/STRIPE_CHECKOUT_HOST/);
  expect(await fixture.payments(accountId)).toMatchObject([{ state: 'expired', actionUrl: null }]);
});

describe('pages', () => {
  it('the ledger is read page by page, newest first, of one account', async () => {
    for (let credits = 1; credits <= 5; credits += 1)
      await inTransaction(fixture.db, (tx) =>
        grantOrDeductCredits(tx, accountId, credits, `grant ${credits}`),
      );
    await inTransaction(fixture.db, async (tx) =>
      grantOrDeductCredits(tx, await fixture.openAccount(7), 7, 'of another account'),
    );
    const read: number[] = [];
    let before: number | null = null;
    do {
      const page = await readLedgerPage(fixture.db, accountId, { limit: 2, before });
      read.push(...page.entries.map(({ amount }) => amount));
      before = page.nextBefore;
    } while (before !== null);
    expect(read).toEqual([5, 4, 3, 2, 1]);
  });

  it('payments are read page by page, with their receipts, of one account', async () => {
    const ids: string[] = [];
    for (let payment = 0; payment < 3; payment += 1) ids.unshift(await fixture.buy(accountId));
    await fixture.waitForWebhooks();
    const first = await readPaymentListPage(fixture.db, accountId, { limit: 2 });
    const rest = await readPaymentListPage(fixture.db, accountId, { limit: 2, before: first.nextBefore });
    expect([...first.payments, ...rest.payments].map(({ id }) => id)).toEqual(ids);
    expect(rest.nextBefore).toBeNull();
    expect(first.payments.every(({ receiptUrl }) => receiptUrl?.includes('/receipts/'))).toBe(true);
    const other = await fixture.openAccount();
    expect(await readPaymentListPage(fixture.db, other, { limit: 2 })).toEqual({
      payments: [],
      nextBefore: null,
    });
    expect(await findAccountPayment(fixture.db, other, ids[0] ?? '')).toBeNull();
    expect(await findAccountPayment(fixture.db, accountId, ids[0] ?? '')).toMatchObject({ state: 'settled' });
  });
});

describe('readUsageByDayKeyAndAudioSource', () => {
  const from = new Date('2026-03-01T00:00:00Z');
  const newJob = async (at: string, keyId: string | null, end?: { seconds: number; charged: number }) => {
    const id = await fixture.jobs.newJob({ of: accountId, enqueue: false });
    await fixture.jobs.rows('UPDATE job SET created_at = $2, api_key_id = $3 WHERE id = $1', id, at, keyId);
    if (!end) return;
    await fixture.jobs.rows(
      `UPDATE job SET status = 'completed', duration = $2, finished_at = now() WHERE id = $1`,
      id,
      end.seconds,
    );
    await fixture.jobs.rows(
      `INSERT INTO credit_entry (account_id, kind, amount, job_id) VALUES ($1, 'capture', -$3::bigint, $2)`,
      accountId,
      id,
      end.charged,
    );
  };

  it('sums jobs, seconds and credits by day and key, from midnight to midnight in UTC', async () => {
    const key = `key-${accountId}`;
    await fixture.jobs.rows(
      `INSERT INTO api_key (id, account_id, name, hash) VALUES ($1, $2, 'production', sha256($1::text::bytea))`,
      key,
      accountId,
    );
    await newJob('2026-02-28T23:59:59.999Z', key, { seconds: 9, charged: 9 });
    await newJob('2026-03-01T00:00:00Z', key, { seconds: 1.5, charged: 2 });
    await newJob('2026-03-01T23:59:59.999Z', key, { seconds: 2.25, charged: 3 });
    await newJob('2026-03-01T12:00:00Z', null);
    await newJob('2026-03-02T00:00:00Z', key);
    await newJob('2026-03-03T00:00:00Z', key);
    const common = { source: 'upload', failed: 0 };
    expect(await readUsageByDayKeyAndAudioSource(fixture.db, accountId, { from, days: 2 })).toEqual([
      {
        ...common,
        day: '2026-03-01',
        keyId: key,
        keyName: 'production',
        created: 2,
        completed: 2,
        audioSeconds: 3.75,
        charged: 5,
      },
      {
        ...common,
        day: '2026-03-01',
        keyId: null,
        keyName: null,
        created: 1,
        completed: 0,
        audioSeconds: 0,
        charged: 0,
      },
      {
        ...common,
        day: '2026-03-02',
        keyId: key,
        keyName: 'production',
        created: 1,
        completed: 0,
        audioSeconds: 0,
        charged: 0,
      },
    ]);
    const other = await fixture.openAccount();
    expect(await readUsageByDayKeyAndAudioSource(fixture.db, other, { from, days: 2 })).toEqual([]);
  });

  it('rejects more days than it reads', async () => {
    const usage = readUsageByDayKeyAndAudioSource(fixture.db, accountId, { from, days: 93 });
    await expect(usage).rejects.toThrow(RangeError);
  });
});
