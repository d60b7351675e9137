import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { expectInvalidFields, expectProblem } from '../e2e/support/problem.js';
import { until } from '../e2e/support/until.js';
import { PaymentService, sessionIdOf } from './support/payment-service.js';

let system: PaymentService;
beforeAll(async () => void (system = await PaymentService.start()));
afterAll(() => system?.stop());
beforeEach(() => Object.assign(system.stripe.webhooks, { mode: 'deliver', copies: 1 }));

const refused = { status: 402, code: 'insufficient_credits' };
const expectRefusal = async (caller: { post: PaymentCaller['post'] }, detail: RegExp) =>
  expect(
    expectProblem(await caller.post('/upload', { file_size: 1 }), refused.status, refused.code).detail,
  ).toMatch(detail);
type PaymentCaller = Awaited<ReturnType<PaymentService['openAccount']>>['caller'];

describe('a top-up', () => {
  it('is granted by the webhook, and its receipt is shown to the operator', async () => {
    const customer = await system.openAccount();
    await expectRefusal(customer.caller, /no credit left/);
    const paymentId = await system.buy(customer);
    await system.untilBalance(customer, 50);
    await customer.caller.create({ file_size: 1 });
    expect(await system.payments(customer)).toMatchObject([
      {
        payment_id: paymentId,
        kind: 'top_up',
        state: 'settled',
        amount: '50.00 USD',
        receipt_url: expect.stringContaining('/receipts/'),
        action_url: null,
      },
    ]);
  });

  it('is granted by the processor when every webhook is lost', async () => {
    const customer = await system.openAccount();
    system.stripe.webhooks.mode = 'drop';
    await system.buy(customer);
    await system.untilBalance(customer, 50);
    expect((await system.credits(customer)).entries).toHaveLength(1);
  });

  it('is granted once when the API is killed while webhooks arrive', async () => {
    const customer = await system.openAccount();
    Object.assign(system.stripe.webhooks, { mode: 'hold', copies: 4 });
    await system.buy(customer);
    system.stripe.webhooks.release((events) => events.toReversed());
    await system.service.kill('api', 'SIGKILL');
    await system.service.waitUntilReady();
    await system.untilDelivered();
    await system.untilBalance(customer, 50);
    expect((await system.credits(customer)).entries).toMatchObject([{ kind: 'grant', amount: 50 }]);
  });
});

describe('auto-recharge', () => {
  /** The account has a saved card and no credits. */
  const openEmptyAccount = async (
    offSession: 'succeeds' | 'authentication_required' | { decline: string },
  ) => {
    const customer = await system.openAccount();
    await system.buy(customer, 50, { onSession: 'succeeds', offSession });
    await system.untilBalance(customer, 50);
    await system.service.adminJson(
      ...['credits', 'grant', '--account', customer.id, '--credits', '-50', '--json'],
    );
    await system.recharge(customer, '--amount', '100');
    return customer;
  };

  it('charges the saved card once for many concurrent creates, which all succeed', async () => {
    const customer = await openEmptyAccount('succeeds');
    const before = system.paidIntents(customer).length;
    const creates = Array.from({ length: 12 }, () => customer.caller.post('/upload', { file_size: 1 }));
    const statuses = (await Promise.all(creates)).map(({ status }) => status);
    expect(statuses).toEqual(statuses.map(() => 200));
    expect(system.paidIntents(customer)).toHaveLength(before + 1);
    await system.untilDelivered();
    expect(await system.balance(customer)).toBe(100);
  });

  it('is granted once when Stripe charges but does not answer', async () => {
    const customer = await openEmptyAccount('succeeds');
    system.stripe.webhooks.mode = 'drop';
    system.stripe.failNext(/payment_intents$/, 'no_answer_after');
    await expectRefusal(customer.caller, /asked for/);
    await system.untilBalance(customer, 100);
    await customer.caller.create({ file_size: 1 });
    expect(system.paidIntents(customer)).toHaveLength(2);
  });

  it('asks the owner of the card where the bank wants it, and charges nothing until then', async () => {
    const customer = await openEmptyAccount('authentication_required');
    await expectRefusal(customer.caller, /confirm/);
    await expectRefusal(customer.caller, /confirm/);
    const [payment] = await system.payments(customer);
    expect(payment).toMatchObject({ state: 'action_required', failure: 'authentication_required' });
    expect((await system.credits(customer)).recharge).toMatchObject({ paused: 'authentication_required' });
    expect(system.paidIntents(customer)).toHaveLength(1);
    system.stripe.state.payCheckout(sessionIdOf(payment?.action_url ?? ''));
    await system.untilBalance(customer, 100);
    await customer.caller.create({ file_size: 1 });
    const { recharge } = await system.credits(customer);
    expect(recharge).toEqual({ below: 1, credits: 100 });
  });

  it('stops after a card that was declined for good', async () => {
    const customer = await openEmptyAccount({ decline: 'stolen_card' });
    await expectRefusal(customer.caller, /declined/);
    await expectRefusal(customer.caller, /paused/);
    expect(await system.payments(customer)).toMatchObject([
      { state: 'declined', failure: 'stolen_card' },
      { state: 'settled' },
    ]);
  });

  it('stops at its monthly limit', async () => {
    const customer = await openEmptyAccount('succeeds');
    await system.recharge(customer, '--amount', '100', '--monthly-limit', '99.99');
    await expectRefusal(customer.caller, /monthly limit/);
    await system.recharge(customer, '--amount', '100', '--monthly-limit', '100');
    await customer.caller.create({ file_size: 1 });
  });
});

describe('refunds and disputes', () => {
  it('a dispute suspends the creation of jobs until it ends, and leaves other requests alone', async () => {
    const customer = await system.openAccount();
    await system.buy(customer);
    await system.untilBalance(customer, 50);
    const [intent = ''] = system.paidIntents(customer);
    const { id } = system.stripe.state.openDispute(intent);
    await system.untilDelivered();
    await expectRefusal(customer.caller, /disputed/);
    expect((await customer.caller.send('GET', '/api/v1/jobs')).status).toBe(200);
    const disputes = ['credits', 'disputes', '--open', '--account', customer.id, '--json'];
    expect(await system.service.adminJson(...disputes)).toMatchObject([
      { dispute_id: id, amount: '50.00 USD', status: 'needs_response' },
    ]);
    system.stripe.state.changeDispute(id, 'won');
    await system.untilDelivered();
    await customer.caller.create({ file_size: 1 });
    expect(await system.service.adminJson(...disputes)).toEqual([]);
  });

  it('a refund of spent credits is owed, and the next top-up pays it', async () => {
    const customer = await system.openAccount();
    await system.buy(customer);
    await system.untilBalance(customer, 50);
    await system.service.adminJson(
      ...['credits', 'grant', '--account', customer.id, '--credits', '-30', '--json'],
    );
    system.stripe.state.createRefund(system.paidIntents(customer)[0] ?? '');
    await system.untilDelivered();
    expect(await system.credits(customer)).toMatchObject({ balance: 0, owed: 30 });
    await expectRefusal(customer.caller, /owes 30 credits/);
    await system.buy(customer);
    await system.untilBalance(customer, 20);
    await customer.caller.create({ file_size: 1 });
    expect((await system.payments(customer))[1]).toMatchObject({ refunded: '50.00 USD' });
  });
});

describe('POST /webhooks/stripe', () => {
  const post = (body: string | Uint8Array, headers: Record<string, string>) =>
    fetch(`${system.service.baseUrl}/webhooks/stripe`, { method: 'POST', body, headers }).then(
      async (response) => ({
        status: response.status,
        headers: response.headers,
        text: await response.text(),
      }),
    );

  it('rejects what Stripe has not signed, byte for byte', async () => {
    const customer = await system.openAccount();
    system.stripe.webhooks.mode = 'hold';
    await system.buy(customer);
    const event = system.stripe.state.events.findLast(({ type }) => type === 'payment_intent.succeeded');
    if (!event) throw new Error('no event');
    const { headers, body } = system.stripe.webhooks.sign(event);
    expectInvalidFields(await post(body, {}), 'Stripe-Signature');
    expectInvalidFields(await post(`${body} `, headers), 'Stripe-Signature');
    const forged = system.stripe.webhooks.sign(event, { secret: 'whsec_guess' });
    expectInvalidFields(await post(forged.body, forged.headers), 'Stripe-Signature');
    expectInvalidFields(await post(new Uint8Array(2 ** 20 + 1), headers), 'body');
    expect(await post(body, { ...headers, 'Content-Type': 'text/plain' })).toMatchObject({ status: 200 });
    expect(await system.balance(customer)).toBe(50);
  });

  it('answers 503 while Stripe does not answer, and the event comes again', async () => {
    const customer = await system.openAccount();
    system.stripe.webhooks.mode = 'hold';
    const { sessionId } = await system.openCheckout(customer);
    system.stripe.state.payCheckout(sessionId);
    system.stripe.webhooks.attempts.length = 0;
    system.stripe.failNext(/payment_intents\/pi_/, ...Array.from({ length: 6 }, () => 'error_500' as const));
    system.stripe.webhooks.release();
    await until('a webhook failed', () =>
      system.stripe.webhooks.attempts.some(({ status }) => status === 503),
    );
    await system.untilDelivered();
    await system.untilBalance(customer, 50);
  });
});
