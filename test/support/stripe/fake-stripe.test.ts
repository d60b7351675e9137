import { Stripe } from 'stripe';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FakeStripe } from './fake-stripe.js';

let fake: FakeStripe;
let stripe: Stripe;
beforeEach(async () => {
  fake = await FakeStripe.start();
  const { hostname, port } = new URL(fake.url);
  const connection = { protocol: 'http' as const, host: hostname, port, maxNetworkRetries: 0, timeout: 500 };
  stripe = new Stripe(fake.secretKey, connection);
});
afterEach(() => fake.stop());

const newCustomer = () => stripe.customers.create({ name: 'An organisation', metadata: { a: 'b' } });
async function newIntent(paymentMethod?: string, key?: string) {
  const { id: customer } = await newCustomer();
  const method = paymentMethod ?? fake.state.createPaymentMethod(customer).id;
  const charge = { amount: 500, currency: 'usd', customer, payment_method: method };
  return () =>
    stripe.paymentIntents.create(
      { ...charge, confirm: true, off_session: true, metadata: { n: '1' }, expand: ['latest_charge'] },
      key === undefined ? {} : { idempotencyKey: key },
    );
}

describe('the fake of Stripe, through its own client', () => {
  it('creates customers with the current version of the API, and rejects a wrong key', async () => {
    const customer = await newCustomer();
    expect(customer).toMatchObject({ object: 'customer', name: 'An organisation', metadata: { a: 'b' } });
    expect(await stripe.customers.retrieve(customer.id)).toMatchObject({ id: customer.id });
    expect(fake.requests[0]?.apiVersion).toBe(Stripe.API_VERSION);
    const { hostname: host, port } = new URL(fake.url);
    const stranger = new Stripe('sk_test_other', { protocol: 'http', host, port });
    await expect(stranger.customers.retrieve(customer.id)).rejects.toMatchObject({ statusCode: 401 });
    await expect(stripe.customers.retrieve('cus_none')).rejects.toMatchObject({ code: 'resource_missing' });
  });

  it('rejects unknown and missing parameters', async () => {
    await expect(stripe.customers.create({ nickname: 'x' } as object)).rejects.toMatchObject({
      code: 'parameter_unknown',
    });
    await expect(stripe.paymentIntents.create({ amount: 5, currency: 'usd' })).rejects.toMatchObject({
      code: 'parameter_missing',
    });
  });

  it('repeats the answer to an idempotency key, and rejects the key for other parameters', async () => {
    const create = await newIntent(undefined, 'key');
    const first = await create();
    expect(first).toMatchObject({ status: 'succeeded', amount_received: 500 });
    expect((await create()).id).toBe(first.id);
    expect(fake.state.intents.size).toBe(1);
    const other = await newIntent(undefined, 'key');
    await expect(other()).rejects.toMatchObject({ rawType: 'idempotency_error', statusCode: 400 });
  });

  it('repeats a declined charge, too', async () => {
    const { id: customer } = await newCustomer();
    const method = fake.state.createPaymentMethod(customer, {
      onSession: 'succeeds',
      offSession: { decline: 'insufficient_funds' },
    });
    const charge = () =>
      stripe.paymentIntents.create(
        {
          amount: 500,
          currency: 'usd',
          customer,
          payment_method: method.id,
          confirm: true,
          off_session: true,
        },
        { idempotencyKey: 'declined' },
      );
    const error = { code: 'card_declined', decline_code: 'insufficient_funds', statusCode: 402 };
    await expect(charge()).rejects.toMatchObject(error);
    fake.state.setCard(method.id, { offSession: 'succeeds' });
    await expect(charge()).rejects.toMatchObject(error);
  });

  it('charges although no answer comes', async () => {
    const create = await newIntent(undefined, 'silent');
    fake.failNext(/payment_intents/, 'no_answer_after');
    await expect(create()).rejects.toMatchObject({ type: 'StripeConnectionError' });
    expect([...fake.state.intents.values()]).toMatchObject([{ status: 'succeeded' }]);
    expect((await create()).id).toBe([...fake.state.intents.keys()][0]);
  });

  it('has a checkout page that saves the card, and lists its events newest first', async () => {
    const { id: customer } = await newCustomer();
    const session = await stripe.checkout.sessions.create({
      mode: 'payment',
      customer,
      line_items: [
        { quantity: 2, price_data: { currency: 'usd', unit_amount: 250, product_data: { name: 'credits' } } },
      ],
      payment_intent_data: { setup_future_usage: 'off_session', metadata: { n: '2' } },
      success_url: 'http://127.0.0.1/',
    });
    expect(session).toMatchObject({ status: 'open', payment_intent: null, amount_total: 500 });
    expect(fake.state.payCheckout(session.id)).toBe(true);
    const paid = await stripe.checkout.sessions.retrieve(session.id);
    expect(paid).toMatchObject({ status: 'complete', payment_status: 'paid', url: null });
    const intent = await stripe.paymentIntents.retrieve(paid.payment_intent as string, {
      expand: ['latest_charge', 'payment_method'],
    });
    expect(intent).toMatchObject({
      metadata: { n: '2' },
      payment_method: { customer },
      latest_charge: { receipt_url: expect.stringContaining('/receipts/') },
    });
    const types = ['checkout.session.completed', 'payment_intent.succeeded'];
    const listed: string[] = [];
    for await (const { type } of stripe.events.list({ types, limit: 1 })) listed.push(type);
    expect(listed).toEqual(types);
  });

  it('signs events as the client verifies them', async () => {
    await newCustomer();
    const [event] = fake.state.events;
    if (!event) throw new Error('no event');
    const { headers, body } = fake.webhooks.sign(event);
    const signature = headers['Stripe-Signature'] ?? '';
    const { secret } = fake.webhooks;
    expect(stripe.webhooks.constructEvent(body, signature, secret)).toMatchObject({ id: event.id });
    expect(() => stripe.webhooks.constructEvent(`${body} `, signature, secret)).toThrow(/signature/);
    const old = fake.webhooks.sign(event, { at: Math.floor(Date.now() / 1000) - 301 });
    expect(() =>
      stripe.webhooks.constructEvent(old.body, old.headers['Stripe-Signature'] ?? '', secret),
    ).toThrow(/tolerance/);
  });

  it('refunds at most what was paid', async () => {
    const { id } = await (await newIntent())();
    await stripe.refunds.create({ payment_intent: id, amount: 200 });
    await expect(stripe.refunds.create({ payment_intent: id, amount: 301 })).rejects.toThrow(/greater/);
    expect((await stripe.refunds.list({ payment_intent: id })).data).toMatchObject([{ amount: 200 }]);
  });
});
