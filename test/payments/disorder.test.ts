import { afterAll, beforeAll, expect, it } from 'vitest';
import { SeededRandom } from '../../scripts/material/seeded-random.mjs';
import { until } from '../e2e/support/until.js';
import type { StripeEventObject } from '../support/stripe/objects.js';
import { type Customer, PaymentService } from './support/payment-service.js';

const ACCOUNTS = 6;
const ROUNDS = 24;
const SEED = Number(process.env['PAYMENTS_SEED'] ?? 20_261_123);

const WAIT_MS = 120_000;
/** Half of the rounds run an operator command. */
const TEST_MS = 480_000;

let system: PaymentService;
beforeAll(async () => void (system = await PaymentService.start()));
afterAll(() => system?.stop());

const random = new SeededRandom(SEED);
const shuffle = (events: StripeEventObject[]) =>
  events
    .map((event) => ({ event, at: random.next() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ event }) => event);

/** What the account should have, by what happened at Stripe alone. */
function expectedCredits({ id }: Customer): number {
  const { intents, refunds, disputes } = system.stripe.state;
  const paid = [...intents.values()].filter(
    ({ metadata, status }) => metadata['account_id'] === id && status === 'succeeded',
  );
  return paid.reduce((sum, { id: intent, amount }) => {
    const refunded = [...refunds.values()].filter(
      (each) => each.payment_intent === intent && each.status !== 'failed',
    );
    const lost = [...disputes.values()].filter(
      (each) => each.payment_intent === intent && each.status === 'lost',
    );
    const reversed = [...refunded, ...lost].reduce((part, each) => part + each.amount, 0);
    return sum + Math.ceil(Math.max(0, amount - reversed) / 100);
  }, 0);
}

it(
  `payments, refunds and disputes end right whatever happens to webhooks and programs (seed ${SEED})`,
  async () => {
    const customers: Customer[] = [];
    for (let account = 0; account < ACCOUNTS; account += 1) customers.push(await system.openAccount());
    const { state, webhooks } = system.stripe;
    const act = async (customer: Customer) => {
      const [intent] = system.paidIntents(customer).toSorted(() => random.next() - 0.5);
      const charge = state.charges.get(state.intents.get(intent ?? '')?.latest_charge ?? '');
      const left = (charge?.amount ?? 0) - (charge?.amount_refunded ?? 0);
      const choice = random.next();
      if (intent === undefined || choice < 0.5) await system.buy(customer, random.pick([50, 100]));
      else if (choice < 0.7 && left > 100 && charge?.disputed === false) {
        const { id } = state.createRefund(intent, 100 * Math.floor(random.between(1, left / 100)));
        if (random.next() < 0.3) state.failRefund(id);
      } else if (left > 0 && charge?.disputed === false) {
        const { id } = state.openDispute(intent, { amount: left });
        state.changeDispute(id, random.pick(['won', 'lost']));
      }
    };
    for (let round = 0; round < ROUNDS; round += 1) {
      webhooks.mode = random.pick(['deliver', 'hold', 'drop']);
      webhooks.copies = random.pick([1, 3]);
      if (random.next() < 0.3)
        system.stripe.failNext(/./, random.pick(['error_500', 'reset_before', 'rate_limited']));
      await act(random.pick(customers)).catch(() => undefined);
      if (webhooks.mode === 'hold' && random.next() < 0.5) webhooks.release(shuffle);
      if (round === ROUNDS / 3) await system.service.kill('api', 'SIGKILL');
      if (round === (2 * ROUNDS) / 3) await system.service.kill('processor', 'SIGKILL');
    }
    webhooks.release(shuffle);
    await system.service.waitUntilReady();
    await system.untilDelivered();
    const happened = [state.refunds, state.disputes].map(({ size }) => size);
    expect(Math.min(...happened), 'refunds and disputes').toBeGreaterThan(1);
    for (const customer of customers) {
      await until(
        'the credits are right',
        async () => (await system.balance(customer)) === expectedCredits(customer),
        WAIT_MS,
      );
      const { balance, owed, entries } = await system.credits(customer);
      expect(balance).toBe(entries.reduce((sum, { amount }) => sum + amount, 0));
      expect(owed).toBe(0);
      const grants = entries.filter(({ kind }) => kind === 'grant');
      expect(new Set(grants.map(({ payment_id }) => payment_id)).size).toBe(grants.length);
      expect(grants).toHaveLength(system.paidIntents(customer).length);
    }
  },
  TEST_MS,
);
