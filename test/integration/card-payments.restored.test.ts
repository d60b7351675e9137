import { endAccount } from '@app/auth';
import {
  findRechargeSettings,
  findStoredStripeCustomer,
  grantOrDeductCredits,
  pauseRestoredCardRecharges,
  readBillingOverview,
  setRechargeSettingsAndEndPause,
} from '@app/billing';
import { inTransaction } from '@app/database';
import { insertInstallationIfAbsent } from '@app/installation';
import { holdAllWebhookDeliveries, releaseAllWebhookDeliveries } from '@app/webhooks';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CardPaymentsFixture, getSessionId } from '../support/stripe/card-payments-fixture.js';
import type { FakeCard } from '../support/stripe/objects.js';

const ACTOR = { kind: 'user', id: null, name: 'owner@example.org', address: null, requestId: null } as const;

let fixture: CardPaymentsFixture;
let accountId: string;
let method: string;
beforeAll(async () => {
  fixture = await CardPaymentsFixture.create();
  await insertInstallationIfAbsent(fixture.db, 'fingerprint');
});
afterAll(() => fixture.close());
beforeEach(async () => {
  fixture.reset();
  fixture.stripe.requests.length = 0;
  await releaseAllWebhookDeliveries(fixture.db);
  ({ accountId, method } = await fixture.openAccountWithCard());
  await setRechargeSettingsAndEndPause(fixture.db, accountId, { below: 1, credits: 50 });
});

const checkCredit = () => fixture.describeCreditCheck(accountId);
const hold = () => holdAllWebhookDeliveries(fixture.db);
const release = () => releaseAllWebhookDeliveries(fixture.db);
const countChanges = () => fixture.stripe.countRequests('POST', /./);
const countIntentReads = () => fixture.stripe.countRequests('GET', /payment_intents\/[^/]+$/);
const readPause = async () => (await findRechargeSettings(fixture.db, accountId))?.pause ?? null;
const backdate = (what: 'created_at' | 'asked_at', hours: number) =>
  fixture.jobs.rows(
    `UPDATE payment SET ${what} = ${what} - make_interval(hours => $2) WHERE account_id = $1`,
    accountId,
    hours,
  );

describe('while the installation is held', () => {
  it('no recharge is requested, the create says why, and a release lets the next one charge', async () => {
    await hold();
    expect(await checkCredit()).toMatch(/Auto-recharge waits until the operator releases it\. Top up\.$/);
    expect(await fixture.payments(accountId)).toEqual([]);
    expect(countChanges()).toBe(0);
    await release();
    expect(await checkCredit()).toBe('admitted');
    expect(await fixture.payments(accountId)).toMatchObject([{ state: 'settled' }]);
  });

  it('a charge without a response is not repeated, but granted when Stripe has executed it', async () => {
    fixture.stripe.webhooks.mode = 'drop';
    fixture.stripe.failNext(/payment_intents$/, 'no_answer_after');
    expect(await checkCredit()).toMatch(/asked for/);
    await hold();
    await backdate('asked_at', 1);
    const before = countChanges();
    expect(await checkCredit()).toMatch(/Auto-recharge waits until the operator releases it\. Top up\.$/);
    expect(await fixture.cards.reconcile(0)).toMatchObject({ payments: 0 });
    expect(countChanges()).toBe(before);
    expect(await fixture.balance(accountId)).toBe(50);
  });

  it('nothing of an ended account is closed, refunded or detached before the release', async () => {
    const { url } = await fixture.cards.createTopUp(accountId, 50);
    const { url: openUrl } = await fixture.cards.createTopUp(accountId, 50);
    await inTransaction(fixture.db, (tx) => endAccount(tx, accountId, ACTOR));
    fixture.stripe.state.payCheckout(getSessionId(url));
    await fixture.waitForWebhooks();
    await hold();
    await backdate('asked_at', 1);
    const before = countChanges();
    await fixture.cards.reconcile(0);
    expect(countChanges()).toBe(before);
    expect(fixture.stripe.state.sessions.get(getSessionId(openUrl))?.status).toBe('open');
    await release();
    await fixture.cards.reconcile(0);
    const refunded = (await fixture.payments(accountId)).map(({ refundedAmount }) => refundedAmount);
    expect(refunded).toContain(5_000);
    expect(fixture.stripe.state.sessions.get(getSessionId(openUrl))?.status).toBe('expired');
  });

  it('a payment without a page does not expire', async () => {
    const { paymentId } = await fixture.cards.createTopUp(accountId, 50);
    await fixture.jobs.rows('UPDATE payment SET checkout_id = NULL WHERE id = $1', paymentId);
    await backdate('created_at', 30);
    await backdate('asked_at', 30);
    await hold();
    await fixture.cards.reconcile(0);
    expect(await fixture.payments(accountId)).toMatchObject([{ state: 'checkout' }]);
  });
});

describe('the pause of auto-recharge after a restore', () => {
  const pause = () => inTransaction(fixture.db, (tx) => pauseRestoredCardRecharges(tx));

  it('begins for accounts with a customer at Stripe, and keeps an earlier reason', async () => {
    const manual = await fixture.openAccount();
    const { accountId: declined } = await fixture.openAccountWithCard();
    for (const id of [manual, declined])
      await setRechargeSettingsAndEndPause(fixture.db, id, { below: 1, credits: 50 });
    await fixture.jobs.rows(
      `UPDATE auto_recharge SET paused_at = now(), pause_reason = 'declined' WHERE account_id = $1`,
      declined,
    );
    await pause();
    expect(await readPause()).toMatchObject({ reason: 'restored' });
    expect((await findRechargeSettings(fixture.db, manual))?.pause).toBeNull();
    expect((await findRechargeSettings(fixture.db, declined))?.pause).toMatchObject({ reason: 'declined' });
    expect(await checkCredit()).toMatch(/restored from a backup/);
    expect(countChanges()).toBe(0);
  });

  it('ends with a top-up or a change of the settings', async () => {
    await pause();
    await fixture.buy(accountId);
    await fixture.waitForWebhooks();
    expect(await readPause()).toBeNull();
    await pause();
    await setRechargeSettingsAndEndPause(fixture.db, accountId, { below: 1, credits: 50 });
    expect(await readPause()).toBeNull();
  });

  it('does not end with a top-up that began before the restore', async () => {
    fixture.stripe.webhooks.mode = 'drop';
    await fixture.buy(accountId);
    await pause();
    await fixture.cards.reconcile(0);
    expect(await fixture.balance(accountId)).toBe(50);
    expect(await readPause()).toMatchObject({ reason: 'restored' });
  });

  const setCard = (offSession: FakeCard['offSession']) =>
    fixture.stripe.state.setCard(method, { onSession: 'succeeds', offSession });
  const payActionAndSpend = async () => {
    const [payment] = await fixture.payments(accountId);
    setCard('succeeds');
    fixture.stripe.state.payCheckout(getSessionId(payment?.actionUrl ?? ''));
    await fixture.waitForWebhooks();
    expect(await fixture.payments(accountId)).toMatchObject([{ id: payment?.id, state: 'settled' }]);
    await inTransaction(fixture.db, (tx) => grantOrDeductCredits(tx, accountId, -50, 'spent'));
  };
  const assertNothingIsCharged = async () => {
    const before = countChanges();
    expect(await checkCredit()).toMatch(/restored from a backup/);
    expect(countChanges()).toBe(before);
    expect(await readPause()).toMatchObject({ reason: 'restored' });
  };

  it('replaces the pause for a payment to confirm, so that the payment does not end it', async () => {
    setCard('authentication_required');
    expect(await checkCredit()).toMatch(/confirm/);
    await pause();
    await payActionAndSpend();
    await assertNothingIsCharged();
  });

  it('stays when a payment of before the restore turns out to need its owner, who then pays it', async () => {
    setCard('authentication_required');
    fixture.stripe.failNext(/payment_intents$/, 'no_answer_after');
    expect(await checkCredit()).toMatch(/asked for/);
    await pause();
    await backdate('asked_at', 1);
    await fixture.cards.reconcile(0);
    expect(await fixture.payments(accountId)).toMatchObject([{ state: 'action_required' }]);
    expect(await readPause()).toMatchObject({ reason: 'restored' });
    await payActionAndSpend();
    await assertNothingIsCharged();
  });
});

describe('a payment that a restored database lacks', () => {
  const forgetPayments = () =>
    fixture.jobs.rows(
      `WITH forgotten AS (DELETE FROM payment WHERE account_id = $1 RETURNING id), entries AS (
         DELETE FROM credit_entry WHERE account_id = $1
       ), scanned AS (DELETE FROM payment_event WHERE payment_id IN (SELECT id FROM forgotten))
       UPDATE account SET balance = 0 WHERE id = $1`,
      accountId,
    );

  it('a recharge is granted again, and counts for the limit of its month', async () => {
    expect(await checkCredit()).toBe('admitted');
    const [before] = await fixture.payments(accountId);
    await fixture.waitForWebhooks();
    await forgetPayments();
    await hold();
    await Promise.all([fixture.cards, fixture.newCards()].map((cards) => cards.reconcile(0)));
    await fixture.cards.reconcile(0);
    expect(await fixture.payments(accountId)).toMatchObject([
      { id: before?.id, kind: 'recharge', state: 'settled', amount: 5_000, reference: before?.reference },
    ]);
    const overview = await readBillingOverview(fixture.db, accountId, fixture.cards);
    expect(overview?.cardPayments?.rechargedThisMonth).toBe(5_000);
    const { entries, balance } = await fixture.statement(accountId);
    expect(balance).toBe(50);
    expect(entries).toMatchObject([{ kind: 'grant', amount: 50, paymentId: before?.id }]);
    expect(fixture.warnings.join()).toContain(`payment ${before?.id}`);
  });

  it('a refunded top-up is granted and taken back', async () => {
    const paymentId = await fixture.buy(accountId);
    await fixture.waitForWebhooks();
    const [payment] = await fixture.payments(accountId);
    await forgetPayments();
    const before = countIntentReads();
    fixture.stripe.state.createRefund(payment?.reference ?? '', 2_000);
    await fixture.waitForWebhooks();
    expect(countIntentReads() - before).toBe(2);
    expect(await fixture.payments(accountId)).toMatchObject([
      { id: paymentId, kind: 'top_up', state: 'settled', refundedAmount: 2_000, reversedCredits: 20 },
    ]);
    expect(await fixture.balance(accountId)).toBe(30);
  });

  it('is not added for an account that does not exist, or while it is not paid', async () => {
    const { paymentId, url } = await fixture.cards.createTopUp(accountId, 50);
    await forgetPayments();
    fixture.stripe.state.expireCheckout(getSessionId(url));
    await fixture.waitForWebhooks();
    expect(await fixture.payments(accountId)).toEqual([]);
    expect(fixture.warnings).toEqual([expect.stringContaining(paymentId)]);
    const gone = await fixture.openAccount();
    fixture.stripe.webhooks.mode = 'drop';
    await fixture.buy(gone);
    await fixture.jobs.rows('DELETE FROM payment WHERE account_id = $1', gone);
    await fixture.jobs.rows('DELETE FROM stripe_customer WHERE account_id = $1', gone);
    await fixture.jobs.rows('DELETE FROM account WHERE id = $1', gone);
    await fixture.cards.reconcile(0);
    expect(await findStoredStripeCustomer(fixture.db, gone)).toBeNull();
    expect(await fixture.payments(gone)).toEqual([]);
  });
});
