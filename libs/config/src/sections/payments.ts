import { z } from 'zod';
import {
  createCommaSeparatedListSchema,
  createIntegerSchema,
  declareSecretEnvVariable,
  createUrlSchema,
  declareEnvVariable,
} from '../variable.js';

/** Currencies that Stripe counts in thousandths, or in hundredths that cards do not have. */
const UNSUPPORTED_CURRENCIES = ['bhd', 'iqd', 'isk', 'jod', 'kwd', 'lyd', 'omr', 'tnd', 'ugx'];

export const paymentEnvVariables = {
  stripeSecretKey: declareSecretEnvVariable(
    'STRIPE_SECRET_KEY',
    z.string().min(8, 'must be a secret key of Stripe').optional(),
    'Secret key of Stripe: customers then [pay by card](operating/payments.md). Needs `STRIPE_WEBHOOK_SECRET` and `CREDIT_PRICE`. Unset: the operator collects payments.',
  ),
  stripeWebhookSecret: declareSecretEnvVariable(
    'STRIPE_WEBHOOK_SECRET',
    z.string().min(8, 'must be a signing secret of Stripe').optional(),
    'Signing secret of the webhook endpoint `PUBLIC_URL/webhooks/stripe` at Stripe.',
  ),
  stripeApiUrl: declareEnvVariable(
    'STRIPE_API_URL',
    createUrlSchema('http:', 'https:').optional(),
    'Another server than Stripe’s, for tests: protocol, host and port.',
  ),
  stripeCheckoutHost: declareEnvVariable(
    'STRIPE_CHECKOUT_HOST',
    z
      .string()
      .regex(/^[a-z\d](?:[a-z\d.-]*[a-z\d])?$/, 'must be a host such as pay.example.com')
      .default('checkout.stripe.com'),
    'Host of Stripe’s checkout pages, if you have a domain of your own there. Customers are sent to no other host.',
  ),
  stripeTimeoutSeconds: declareEnvVariable(
    'STRIPE_TIMEOUT_SECONDS',
    createIntegerSchema(1, 9).default(8),
    'Seconds after which a request to Stripe without a response is given up. A charge is repeated later with the same idempotency key.',
  ),
  creditPrice: declareEnvVariable(
    'CREDIT_PRICE',
    z
      .string()
      .regex(/^\d{1,6}(\.\d{1,9})?$/, 'must be a number such as 0.0001')
      .refine((text) => Number(text) > 0, 'must be more than 0')
      .optional(),
    'Price of one credit, in `CREDIT_CURRENCY`. Amounts are rounded up to the smallest unit of the currency.',
  ),
  creditCurrency: declareEnvVariable(
    'CREDIT_CURRENCY',
    z
      .string()
      .regex(/^[a-z]{3}$/i, 'must be a currency code such as usd')
      .transform((code) => code.toLowerCase())
      .refine((code) => !UNSUPPORTED_CURRENCIES.includes(code), 'is not supported')
      .default('usd'),
    'Currency in which customers pay, as its three-letter code.',
  ),
  creditPackages: declareEnvVariable(
    'CREDIT_PACKAGES',
    createCommaSeparatedListSchema()
      .refine(
        (packages) => packages.length > 0 && packages.every((credits) => /^[1-9]\d{0,11}$/.test(credits)),
        'must be whole numbers of credits, comma-separated',
      )
      .transform((packages) => [...new Set(packages.map(Number))].toSorted((a, b) => a - b))
      .default([36_000, 180_000, 720_000]),
    'Numbers of credits that customers can buy, comma-separated.',
  ),
  reconcileSeconds: declareEnvVariable(
    'PAYMENT_RECONCILE_SECONDS',
    createIntegerSchema(1, 86_400).default(300),
    'Seconds after which Stripe is asked again for payments that no webhook reported.',
  ),
};
