import type Stripe from 'stripe';
import { createStripeClientLoader, type StripeConnectionOptions, toStripeFailure } from './stripe-client.js';

/**
 * What the service reads of each payment and in the background: without it, customers pay and get no credits. What it
 * writes cannot be tried without leaving something at Stripe.
 */
const READS: readonly { name: string; read: (stripe: Stripe) => Promise<unknown> }[] = [
  { name: 'refunds', read: (stripe) => stripe.refunds.list({ limit: 1 }) },
  { name: 'disputes', read: (stripe) => stripe.disputes.list({ limit: 1 }) },
  { name: 'events', read: (stripe) => stripe.events.list({ limit: 1 }) },
];

/**
 * Tries what a restricted key may lack the permission for.
 * @returns what Stripe refuses to let the key read @throws any other error of Stripe
 */
export async function findReadsRefusedToStripeKey(connection: StripeConnectionOptions): Promise<string[]> {
  const stripe = await createStripeClientLoader(connection)();
  const refused = await Promise.all(
    READS.map(async ({ name, read }) => ((await isPermitted(() => read(stripe))) ? [] : [name])),
  );
  return refused.flat();
}

async function isPermitted(read: () => Promise<unknown>): Promise<boolean> {
  try {
    await read();
    return true;
  } catch (error) {
    if (toStripeFailure(error)?.statusCode !== 403) throw error;
    return false;
  }
}
