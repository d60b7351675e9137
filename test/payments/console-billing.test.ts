import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ConsoleUsers, PASSWORD } from '../e2e/support/console-users.js';
import type { ConsoleClient } from '../e2e/support/console-client.js';
import { until } from '../e2e/support/until.js';
import { type Customer, PaymentService, sessionIdOf } from './support/payment-service.js';

interface ConsolePayment {
  id: string;
  state: string;
  kind: string;
  amount: number;
  receipt_url: string | null;
  action_url: string | null;
  dispute: { status: string; amount: number; closed_at: string | null } | null;
}

const CONFIRMATION = { current_password: PASSWORD };

let system: PaymentService;
let customer: Customer;
let owner: ConsoleClient;
let count = 0;

beforeAll(async () => void (system = await PaymentService.start({ SIGN_IN_ATTEMPTS_PER_ADDRESS: '100000' })));
afterAll(() => system?.stop());
beforeEach(async () => {
  Object.assign(system.stripe.webhooks, { mode: 'deliver', copies: 1 });
  customer = await system.openAccount();
  owner = await openBrowser('owner');
});

async function openBrowser(role: string, { id } = customer): Promise<ConsoleClient> {
  count += 1;
  return new ConsoleUsers(system.service, id).createWithPassword(`${role}-${count}@example.org`, role);
}

async function startTopUp(credits = 50): Promise<{ payment_id: string; url: string }> {
  const { status, body } = await owner.request<{ payment_id: string; url: string }>(
    'POST',
    'billing/top-ups',
    {
      credits,
    },
  );
  expect(status).toBe(200);
  return body;
}
const pay = (url: string) => system.stripe.state.payCheckout(sessionIdOf(url));
const balance = async (browser = owner) =>
  (await browser.request<{ balance: number }>('GET', 'balance')).body.balance;
const untilBalance = (expected: number) =>
  until(`the balance is ${expected}`, async () => (await balance()) === expected);
const payments = async () =>
  (await owner.request<{ payments: ConsolePayment[] }>('GET', 'billing/payments')).body.payments;
const grants = async () => {
  const { body } = await owner.request<{ entries: { kind: string; amount: number }[] }>('GET', 'ledger');
  return body.entries.filter(({ kind }) => kind === 'grant').map(({ amount }) => amount);
};

describe('a top-up in the console', () => {
  it('leads to Stripe’s page and back, and its receipt is listed', async () => {
    const { payment_id, url } = await startTopUp();
    expect(new URL(url).origin).toBe(system.stripe.url);
    const paid = await fetch(`${url}/paid`, { redirect: 'manual' });
    const back = new URL(paid.headers.get('location') ?? '');
    expect(back.origin).toBe(system.service.baseUrl);
    expect(back.pathname).toBe('/console/billing');
    expect(Object.fromEntries(back.searchParams)).toEqual({ payment: payment_id, result: 'paid' });
    const { body } = await owner.request<ConsolePayment>('POST', `billing/payments/${payment_id}/refresh`);
    expect(body).toMatchObject({ id: payment_id, state: 'settled', amount: 5_000, currency: 'usd' });
    expect(await balance()).toBe(50);
    expect(await payments()).toMatchObject([
      {
        id: payment_id,
        kind: 'top_up',
        receipt_url: expect.stringContaining('/receipts/'),
        action_url: null,
      },
    ]);
    expect((await owner.request('GET', 'billing')).body).toMatchObject({
      card_payments: {
        saved_card: { last4: '4242' },
        packages: [{ credits: 50, amount: 5_000 }, { credits: 100 }],
      },
    });
  });

  it('is granted once when the customer returns before, between and after repeated webhooks out of order', async () => {
    Object.assign(system.stripe.webhooks, { mode: 'hold', copies: 3 });
    const { payment_id, url } = await startTopUp();
    const returnToConsole = () => owner.request('POST', `billing/payments/${payment_id}/refresh`);
    expect((await returnToConsole()).body).toMatchObject({ state: 'checkout' });
    pay(url);
    system.stripe.webhooks.release((events) => events.toReversed());
    await Promise.all([returnToConsole(), returnToConsole(), returnToConsole()]);
    await system.untilDelivered();
    expect((await returnToConsole()).body).toMatchObject({ state: 'settled' });
    expect(await grants()).toEqual([50]);
    expect(await balance()).toBe(50);
  });

  it('is granted when every webhook is lost and the customer never returns', async () => {
    system.stripe.webhooks.mode = 'drop';
    pay((await startTopUp()).url);
    await untilBalance(50);
    expect(await grants()).toEqual([50]);
  });

  it('that Stripe does not answer is a 503 that charges nothing, and the next one works', async () => {
    system.stripe.failNext(/checkout\/sessions$/, 'no_answer_after');
    const failed = await owner.request('POST', 'billing/top-ups', { credits: 50 });
    expect(failed).toMatchObject({ status: 503, body: { code: 'service_unavailable' } });
    expect(await payments()).toMatchObject([{ state: 'expired', action_url: null }]);
    pay((await startTopUp()).url);
    await untilBalance(50);
    expect(system.paidIntents(customer)).toHaveLength(1);
  });

  it('that is disputed is named in the list until the dispute ends, also when it is lost', async () => {
    pay((await startTopUp()).url);
    await untilBalance(50);
    expect(await payments()).toMatchObject([{ dispute: null }]);
    const { id } = system.stripe.state.openDispute(system.paidIntents(customer)[0] ?? '');
    await system.untilDelivered();
    expect(await payments()).toMatchObject([
      { state: 'settled', dispute: { status: 'needs_response', amount: 5_000, closed_at: null } },
    ]);
    system.stripe.state.changeDispute(id, 'lost');
    await system.untilDelivered();
    expect(await payments()).toMatchObject([
      { state: 'settled', reversed_credits: 50, dispute: { status: 'lost', closed_at: expect.any(String) } },
    ]);
  });

  it('is one of the packages', async () => {
    expect(await owner.request('POST', 'billing/top-ups', { credits: 51 })).toMatchObject({
      status: 422,
      body: { errors: [{ field: 'credits', message: 'must be one of: 50, 100' }] },
    });
    expect(await payments()).toEqual([]);
  });

  it('is invisible to other accounts, and to roles that may not pay', async () => {
    const { payment_id, url } = await startTopUp();
    const other = await openBrowser('owner', await system.openAccount());
    expect(await other.request('POST', `billing/payments/${payment_id}/refresh`)).toMatchObject({
      status: 404,
      body: { code: 'no_such_resource' },
    });
    expect((await other.request('GET', 'billing/payments')).body).toMatchObject({ payments: [] });
    pay(url);
    await untilBalance(50);
    const member = await openBrowser('member');
    expect(await balance(member)).toBe(50);
    expect((await member.request('GET', 'billing/payments')).status).toBe(403);
  });
});

describe('auto-recharge in the console', () => {
  /** With a saved card and no credits. */
  async function saveCardAndSpend(offSession: 'succeeds' | 'authentication_required'): Promise<void> {
    const { url } = await startTopUp();
    system.stripe.state.payCheckout(sessionIdOf(url), { onSession: 'succeeds', offSession });
    await untilBalance(50);
    const taken = ['--account', customer.id, '--credits', '-50', '--json'];
    await system.service.adminJson('credits', 'grant', ...taken);
  }
  const save = (settings: object) => owner.request('PUT', 'billing/auto-recharge', settings);
  const billing = async () => (await owner.request('GET', 'billing')).body;

  it('charges the saved card once, up to the monthly limit, though Stripe charges without an answer', async () => {
    await saveCardAndSpend('succeeds');
    expect((await save({ credits: 50, below: 1, monthly_limit: 5_000 })).status).toBe(204);
    system.stripe.webhooks.mode = 'drop';
    system.stripe.failNext(/payment_intents$/, 'no_answer_after');
    expect((await customer.caller.post('/upload', { file_size: 1 })).status).toBe(402);
    await untilBalance(50);
    expect(system.paidIntents(customer)).toHaveLength(2);
    expect(await billing()).toMatchObject({
      auto_recharge: { credits: 50, below: 1, monthly_limit: 5_000, paused_because: null },
      card_payments: { recharged_this_month: 5_000 },
    });
    const taken = ['--account', customer.id, '--credits', '-50', '--json'];
    await system.service.adminJson('credits', 'grant', ...taken);
    expect((await customer.caller.post('/upload', { file_size: 1 })).status).toBe(402);
    expect(system.paidIntents(customer)).toHaveLength(2);
  });

  it('that the bank wants confirmed shows the link until the owner of the card has paid', async () => {
    await saveCardAndSpend('authentication_required');
    await save({ credits: 100, below: 1 });
    expect((await customer.caller.post('/upload', { file_size: 1 })).status).toBe(402);
    expect((await owner.request('GET', 'balance')).body).toMatchObject({ payments_to_confirm: 1 });
    expect(await billing()).toMatchObject({ auto_recharge: { paused_because: 'authentication_required' } });
    const [payment] = await payments();
    expect(payment).toMatchObject({ state: 'action_required', kind: 'recharge', amount: 10_000 });
    pay(payment?.action_url ?? '');
    await untilBalance(100);
    expect((await owner.request('GET', 'balance')).body).toMatchObject({ payments_to_confirm: 0 });
    expect(await billing()).toMatchObject({ auto_recharge: { paused_because: null } });
  });

  it('needs a saved card, a package and a limit above its price; it ends with the card', async () => {
    expect(await save({ credits: 50, below: 1 })).toMatchObject({ status: 422 });
    await saveCardAndSpend('succeeds');
    for (const [settings, field] of [
      [{ credits: 51, below: 1 }, 'credits'],
      [{ credits: 50, below: 51 }, 'below'],
      [{ credits: 50, below: 0 }, 'below'],
      [{ credits: 50, below: 1, monthly_limit: 4_999 }, 'monthly_limit'],
    ] as const)
      expect(await save(settings)).toMatchObject({ status: 422, body: { errors: [{ field }] } });
    expect((await save({ credits: 50, below: 10 })).status).toBe(204);
    expect(await owner.request('DELETE', 'billing/card', { current_password: 'wrong' })).toMatchObject({
      status: 422,
      body: { errors: [{ field: 'current_password' }] },
    });
    expect(await billing()).toMatchObject({ card_payments: { saved_card: { last4: '4242' } } });
    expect((await owner.request('DELETE', 'billing/card', CONFIRMATION)).status).toBe(204);
    expect(await billing()).toMatchObject({ auto_recharge: null, card_payments: { saved_card: null } });
    expect((await customer.caller.post('/upload', { file_size: 1 })).status).toBe(402);
    expect(system.paidIntents(customer)).toHaveLength(1);
    expect((await owner.request('DELETE', 'billing/auto-recharge')).status).toBe(204);
  });

  it('and every payment are in the audit log, with who did it', async () => {
    await saveCardAndSpend('succeeds');
    await save({ credits: 50, below: 10, monthly_limit: null });
    await owner.request('DELETE', 'billing/auto-recharge');
    await owner.request('DELETE', 'billing/card', CONFIRMATION);
    const { body } = await owner.request<{ events: { action: string; actor: { kind: string } }[] }>(
      ...(['GET', 'audit?action=payment.'] as const),
    );
    expect(body.events.map(({ action, actor }) => `${actor.kind} ${action}`)).toEqual([
      'user payment.card_removed',
      'user payment.auto_recharge_ended',
      'user payment.auto_recharge_changed',
      'operator payment.credits_granted',
      'user payment.top_up_started',
    ]);
  });
});
