import { type AuditActor, endAccount } from '@app/auth';
import { grantOrDeductCredits, setRechargeSettingsAndEndPause } from '@app/billing';
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
beforeAll(async () => {
  fixture = await CardPaymentsFixture.create();
  // Those that docs/operating/payments.md lists.
  fixture.stripe.keyPermissions = new Set([
    'customer_write',
    'payment_method_write',
    'checkout_session_write',
    'payment_intent_write',
    'charge_write',
    'dispute_read',
    'event_read',
  ]);
});
afterAll(() => fixture.close());
beforeEach(async () => {
  fixture.reset();
  accountId = await fixture.openAccount();
});

const empty = async () => {
  const credits = -(await fixture.balance(accountId));
  await inTransaction(fixture.db, (tx) => grantOrDeductCredits(tx, accountId, credits, 'spent'));
};

describe('a restricted key with the documented permissions', () => {
  it('suffices for a top-up, a recharge, a refund and a dispute', async () => {
    await fixture.buy(accountId);
    await fixture.waitForWebhooks();
    await setRechargeSettingsAndEndPause(fixture.db, accountId, { below: 1, credits: 50 });
    await empty();
    expect(await fixture.describeCreditCheck(accountId)).toBe('admitted');
    const [recharge] = await fixture.payments(accountId);
    fixture.stripe.state.createRefund(recharge?.reference ?? '', 1_000);
    await fixture.waitForWebhooks();
    expect(await fixture.balance(accountId)).toBe(40);
    fixture.stripe.state.openDispute(recharge?.reference ?? '');
    await fixture.waitForWebhooks();
    expect(await fixture.describeCreditCheck(accountId)).toMatch(/disputed/);
  });

  it('suffices for a recharge that its owner has to confirm', async () => {
    await fixture.buy(accountId, 50, { onSession: 'succeeds', offSession: 'authentication_required' });
    await fixture.waitForWebhooks();
    await setRechargeSettingsAndEndPause(fixture.db, accountId, { below: 1, credits: 50 });
    await empty();
    expect(await fixture.describeCreditCheck(accountId)).toMatch(/confirm/);
    const [recharge] = await fixture.payments(accountId);
    fixture.stripe.state.payCheckout(getSessionId(recharge?.actionUrl ?? ''));
    await fixture.waitForWebhooks();
    expect(await fixture.balance(accountId)).toBe(50);
  });

  it('suffices for payments that no webhook reports, and for the end of an account', async () => {
    fixture.stripe.webhooks.mode = 'drop';
    await fixture.buy(accountId);
    await fixture.cards.reconcile(0);
    const { url } = await fixture.cards.createTopUp(accountId, 50);
    await inTransaction(fixture.db, (tx) => endAccount(tx, accountId, ACTOR));
    fixture.stripe.state.payCheckout(getSessionId(url));
    await fixture.cards.reconcile(0);
    await fixture.cards.reconcile(0);
    expect(await fixture.payments(accountId)).toMatchObject([
      { state: 'settled', refundedAmount: 5_000 },
      { state: 'settled', refundedAmount: 0 },
    ]);
    await fixture.cards.closePayments(accountId, () => Promise.resolve());
    expect(fixture.warnings).toEqual([]);
  });
});
