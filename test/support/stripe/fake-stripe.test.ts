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

describe('the fake Stripe, used through the client of Stripe', () => {
  it('customers are created with the current API version, and a wrong key is rejected', async () => {
    const customer = await newCustomer();
    expect(customer).toMatchObject({ object: 'customer', name: 'An organisation', metadata: { a: 'b' } });
    expect(await stripe.customers.retrieve(customer.id)).toMatchObject({ id: customer.id });
    expect(fake.requests[0]?.apiVersion).toBe(Stripe.API_VERSION);
    const { hostname: host, port } = new URL(fake.url);
    const stranger = new Stripe('sk_test_other', { protocol: 'http', host, port });
    await expect(stranger.customers.retrieve(customer.id)).rejects.toMatchObject({ statusCode: 401 });
    await expect(stripe.customers.retrieve('cus_none')).rejects.toMatchObject({ code: 'resource_missing' });
  });

  it('unknown and missing parameters are rejected', async () => {
    await expect(stripe.customers.create({ nickname: 'x' } as object)).rejects.toMatchObject({
      code: 'parameter_unknown',
    });
    await expect(stripe.paymentIntents.create({ amount: 5, currency: 'usd' })).rejects.toMatchObject({
      code: 'parameter_missing',
    });
  });

  it('a repeated idempotency key gets the first response, and is rejected with other parameters', async () => {
    const create = await newIntent(undefined, 'key');
    const first = await create();
    expect(first).toMatchObject({ status: 'succeeded', amount_received: 500 });
    expect((await create()).id).toBe(first.id);
    expect(fake.state.intents.size).toBe(1);
    const other = await newIntent(undefined, 'key');
    await expect(other()).rejects.toMatchObject({ rawType: 'idempotency_error', statusCode: 400 });
  });

  it('a repeated idempotency key of a declined charge gets the same error', async () => {
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

  it('a charge whose response is lost is executed', async () => {
    const create = await newIntent(undefined, 'silent');
    fake.failNext(/payment_intents/, 'no_answer_after');
    await expect(create()).rejects.toMatchObject({ type: 'StripeConnectionError' });
    expect([...fake.state.intents.values()]).toMatchObject([{ status: 'succeeded' }]);
    expect((await create()).id).toBe([...fake.state.intents.keys()][0]);
  });

  it('a paid checkout page saves the card, and its events are listed newest first', async () => {
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

  it('the client accepts the signature of an event and rejects changed and old ones', async () => {
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

  it('a refund cannot exceed the payment', async () => {
    const { id } = await (await newIntent())();
    await stripe.refunds.create({ payment_intent: id, amount: 200 });
    await expect(stripe.refunds.create({ payment_intent: id, amount: 301 })).rejects.toThrow(/greater/);
    expect((await stripe.refunds.list({ payment_intent: id })).data).toMatchObject([{ amount: 200 }]);
  });

  it('lists the cards of a customer, and never charges a detached one again', async () => {
    const { id: customer } = await newCustomer();
    const { id } = fake.state.createPaymentMethod(customer);
    expect((await stripe.customers.listPaymentMethods(customer)).data).toMatchObject([{ id }]);
    await stripe.paymentMethods.detach(id);
    expect((await stripe.customers.listPaymentMethods(customer)).data).toEqual([]);
    await expect(stripe.paymentMethods.detach(id)).rejects.toMatchObject({ statusCode: 400 });
    const charge = { amount: 500, currency: 'usd', customer, payment_method: id, confirm: true };
    await expect(stripe.paymentIntents.create(charge)).rejects.toMatchObject({ statusCode: 400 });
  });
});
