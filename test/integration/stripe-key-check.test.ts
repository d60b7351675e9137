import { afterEach, beforeEach, expect, it } from 'vitest';
import { checkStripeKey } from '../../apps/admin/src/doctor/stripe-key-check.js';
import { FakeStripe } from '../support/stripe/fake-stripe.js';

let stripe: FakeStripe;
beforeEach(async () => void (stripe = await FakeStripe.start()));
afterEach(() => stripe.stop());

const check = (secretKey = stripe.secretKey, apiUrl = stripe.url) =>
  checkStripeKey({
    secretKey,
    apiUrl,
    webhookSecret: stripe.webhooks.secret,
    checkoutHost: 'checkout.stripe.com',
    timeoutMs: 1_000,
    returnUrl: 'http://127.0.0.1:3000/console/billing',
    creditPrice: '1',
    currency: 'usd',
    packages: [50],
  });

it('doctor accepts a key that may do everything, and changes nothing with it', async () => {
  expect(await check()).toMatchObject({ name: 'stripe', status: 'ok', advice: null });
  expect(new Set(stripe.requests.map(({ method }) => method))).toEqual(new Set(['GET']));
});

it('doctor names what a restricted key may not read, and where its permissions are listed', async () => {
  stripe.keyPermissions = new Set(['customer_write', 'charge_write', 'dispute_read', 'event_read']);
  expect(await check()).toMatchObject({ status: 'ok' });
  stripe.keyPermissions = new Set(['customer_write', 'payment_intent_write', 'dispute_read']);
  expect(await check()).toEqual({
    name: 'stripe',
    status: 'problem',
    detail: 'the key may not read refunds, events',
    advice: expect.stringContaining('docs/operating/payments.md') as string,
  });
});

it('doctor advises another key where Stripe does not know this one', async () => {
  const finding = await check('sk_test_other');
  expect(finding).toMatchObject({ status: 'problem', advice: expect.stringContaining('STRIPE_SECRET_KEY') });
});

it('doctor reports that Stripe does not answer', async () => {
  await stripe.stop();
  expect(await check()).toMatchObject({
    status: 'problem',
    advice: expect.stringContaining('reaches Stripe') as string,
  });
});
