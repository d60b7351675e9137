import { declinePayment, listPayments, setRechargeSettingsAndEndPause } from '@app/billing';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  DeclinePaymentCommand,
  SettlePaymentCommand,
} from '../../apps/admin/src/credits/payments.command.js';
import type { LazyAdminServices } from '../../apps/admin/src/lazy-admin-services.js';
import { CardPaymentsFixture } from '../support/stripe/card-payments-fixture.js';

let fixture: CardPaymentsFixture;
let accountId: string;
let payment: string;
beforeAll(async () => void (fixture = await CardPaymentsFixture.create()));
afterAll(() => fixture.close());
beforeEach(async () => {
  fixture.reset();
  ({ accountId } = await fixture.openAccountWithCard());
  await setRechargeSettingsAndEndPause(fixture.db, accountId, { below: 1, credits: 50 });
  fixture.stripe.failNext(/payment_intents$/, 'error_500');
  expect(await fixture.describeCreditCheck(accountId)).toMatch(/asked for/);
  payment = (await fixture.payments(accountId))[0]?.id ?? '';
});

const contextWith = (cardPayments: CardPaymentsFixture['cards'] | null) =>
  ({ open: () => Promise.resolve({ dataSource: fixture.db, cardPayments }) }) as unknown as LazyAdminServices;

describe('an open payment of Stripe', () => {
  it('is neither settled nor declined by the operator, because only Stripe knows its result', async () => {
    const context = contextWith(fixture.cards);
    for (const command of [new SettlePaymentCommand(context), new DeclinePaymentCommand(context)])
      await expect(command.run([payment], { json: true })).rejects.toThrow(/use `credits reconcile`/);
    expect(await fixture.payments(accountId)).toMatchObject([{ state: 'requested' }]);
    expect(await fixture.balance(accountId)).toBe(0);
  });

  it('is declined, but not settled, once Stripe is no longer configured', async () => {
    const context = contextWith(null);
    const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    try {
      await expect(new SettlePaymentCommand(context).run([payment], { json: true })).rejects.toThrow();
      await new DeclinePaymentCommand(context).run([payment], { json: true });
    } finally {
      write.mockRestore();
    }
    expect(await listPayments(fixture.db, { accountId, limit: 1 })).toMatchObject([{ state: 'declined' }]);
    expect(await declinePayment(fixture.db, payment)).toBe(false);
  });
});
