import {
  grantCredits,
  listPayments,
  readBillingOverview,
  readLedgerPage,
  readUsageByDay,
} from '@app/billing';
import { inTransaction } from '@app/database';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CardPaymentsFixture } from '../support/stripe/card-payments-fixture.js';

let fixture: CardPaymentsFixture;
let accountId: string;
beforeAll(async () => void (fixture = await CardPaymentsFixture.create()));
afterAll(() => fixture.close());
beforeEach(async () => void (accountId = await fixture.openAccount()));

const overview = (cards: typeof fixture.cards | null = fixture.cards) =>
  readBillingOverview(fixture.db, accountId, cards);
const invalid = (field: string) => ({
  code: 'validation_failed',
  errors: [{ field, message: expect.any(String) }],
});

describe('readBillingOverview', () => {
  it('has balance, packages, saved card, auto-recharge and what was recharged this month', async () => {
    await fixture.buy(accountId);
    await fixture.untilDelivered();
    await fixture.cards.saveAutoRecharge(accountId, { below: 10, credits: 100, monthlyLimit: 20_000 });
    expect(await overview()).toEqual({
      balance: 50,
      held: 0,
      owed: 0,
      isDisputed: false,
      autoRecharge: { below: 10, credits: 100, monthlyLimit: 20_000, pause: null },
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
    await inTransaction(fixture.db, (tx) => grantCredits(tx, accountId, -50, 'spent'));
    await fixture.creditCheck().assertCreditOrRecharge(accountId);
    expect(await overview()).toMatchObject({
      balance: 100,
      cardPayments: { rechargedThisMonth: 10_000 },
    });
  });

  it('has no card payments if the operator collects payments, and is null for an unknown account', async () => {
    expect(await overview(null)).toMatchObject({ balance: 0, autoRecharge: null, cardPayments: null });
    accountId = '00000000-0000-7000-8000-000000000000';
    expect(await overview()).toBeNull();
  });
});

describe('settings by customers', () => {
  it('only packages can be bought', async () => {
    await expect(fixture.cards.createPackageTopUp(accountId, 51)).rejects.toMatchObject(invalid('credits'));
    expect(await fixture.payments(accountId)).toEqual([]);
    const { url } = await fixture.cards.createPackageTopUp(accountId, 100);
    expect(await fixture.payments(accountId)).toMatchObject([{ amount: 10_000, actionUrl: url }]);
  });

  it('auto-recharge needs a saved card, a package that lifts the balance over the threshold, and a limit above its price', async () => {
    const save = (below: number, credits: number, monthlyLimit: number | null = null) =>
      fixture.cards.saveAutoRecharge(accountId, { below, credits, monthlyLimit });
    await expect(save(1, 50)).rejects.toMatchObject(invalid('credits'));
    await fixture.buy(accountId);
    await fixture.untilDelivered();
    await expect(save(1, 51)).rejects.toMatchObject(invalid('credits'));
    for (const below of [0, 51, 1.5]) await expect(save(below, 50)).rejects.toMatchObject(invalid('below'));
    await expect(save(1, 50, 4_999)).rejects.toMatchObject(invalid('monthly_limit'));
    await save(50, 50, 5_000);
    expect(await overview()).toMatchObject({ autoRecharge: { below: 50, credits: 50, monthlyLimit: 5_000 } });
    await fixture.cards.saveAutoRecharge(accountId, null);
    expect(await overview()).toMatchObject({ autoRecharge: null });
  });
});

describe('pages', () => {
  it('the ledger is read page by page, newest first, of one account', async () => {
    for (let credits = 1; credits <= 5; credits += 1)
      await inTransaction(fixture.db, (tx) => grantCredits(tx, accountId, credits, `grant ${credits}`));
    await inTransaction(fixture.db, async (tx) =>
      grantCredits(tx, await fixture.openAccount(7), 7, 'of another account'),
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

  it('payments are read page by page, with their receipts', async () => {
    const ids: string[] = [];
    for (let payment = 0; payment < 3; payment += 1) ids.unshift(await fixture.buy(accountId));
    await fixture.untilDelivered();
    const first = await listPayments(fixture.db, { accountId, limit: 2 });
    const rest = await listPayments(fixture.db, { accountId, limit: 2, before: first.at(-1)?.id ?? '' });
    expect([...first, ...rest].map(({ id }) => id)).toEqual(ids);
    expect(first.every(({ receiptUrl }) => receiptUrl?.includes('/receipts/'))).toBe(true);
  });
});

describe('readUsageByDay', () => {
  const from = new Date('2026-03-01T00:00:00Z');
  const newJob = async (at: string, keyId: string | null, end?: { seconds: number; charged: number }) => {
    const id = await fixture.jobs.newJob({ of: accountId, enqueue: false });
    await fixture.jobs.rows(
      'UPDATE job SET created_at = $2, api_key_id = $3 WHERE id = $1 RETURNING id',
      id,
      at,
      keyId,
    );
    if (!end) return;
    await fixture.jobs.rows(
      `UPDATE job SET status = 'completed', duration = $2, finished_at = now() WHERE id = $1 RETURNING id`,
      id,
      end.seconds,
    );
    await fixture.jobs.rows(
      `INSERT INTO credit_entry (account_id, kind, amount, job_id) VALUES ($1, 'capture', -$3::bigint, $2) RETURNING id`,
      accountId,
      id,
      end.charged,
    );
  };

  it('sums jobs, seconds and credits by day and key, from midnight to midnight in UTC', async () => {
    const key = `key-${accountId}`;
    await fixture.jobs.rows(
      `INSERT INTO api_key (id, account_id, name, hash) VALUES ($1, $2, 'production', sha256($1::text::bytea)) RETURNING id`,
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
    expect(await readUsageByDay(fixture.db, accountId, { from, days: 2 })).toEqual([
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
    expect(await readUsageByDay(fixture.db, other, { from, days: 2 })).toEqual([]);
  });

  it('rejects more days than it reads', async () => {
    await expect(readUsageByDay(fixture.db, accountId, { from, days: 93 })).rejects.toThrow(RangeError);
  });
});
