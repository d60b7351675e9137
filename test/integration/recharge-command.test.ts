import { findRechargeSettings, setRechargeSettingsAndEndPause } from '@app/billing';
import { inTransaction } from '@app/database';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { ShowCreditsCommand } from '../../apps/admin/src/credits/credits.command.js';
import { SetRechargeCommand } from '../../apps/admin/src/credits/recharge.command.js';
import type { LazyAdminServices } from '../../apps/admin/src/lazy-admin-services.js';
import { pauseRecharge } from '../../libs/billing/src/payments/auto-recharge.repository.js';
import { CardPaymentsFixture } from '../support/stripe/card-payments-fixture.js';

let fixture: CardPaymentsFixture;
let account: string;
let printed: string;
beforeAll(async () => void (fixture = await CardPaymentsFixture.create()));
afterAll(() => fixture.close());
beforeEach(async () => {
  account = await fixture.openAccount();
  printed = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed += String(text);
    return true;
  });
});
afterEach(() => vi.restoreAllMocks());

const contextWith = (cardPayments: CardPaymentsFixture['cards'] | null) =>
  ({ open: () => Promise.resolve({ dataSource: fixture.db, cardPayments }) }) as unknown as LazyAdminServices;
type Options = Omit<Parameters<SetRechargeCommand['run']>[1], 'account'>;
const run = (options: Options, cards: CardPaymentsFixture['cards'] | null = fixture.cards) =>
  new SetRechargeCommand(contextWith(cards)).run([], { account, ...options });
const readSettings = () => findRechargeSettings(fixture.db, account);

describe('credits recharge', () => {
  const ofCustomer = { below: 40, credits: 50, monthlyLimit: 10_000, limitCurrency: 'usd' };
  const saveAsCustomer = () => setRechargeSettingsAndEndPause(fixture.db, account, ofCustomer);

  it('leaves threshold and monthly limit of the customer as they are unless they are given', async () => {
    await saveAsCustomer();
    await run({ amount: 100 });
    expect(await readSettings()).toEqual({ ...ofCustomer, credits: 100, pause: null });
    expect(printed).toBe('Recharges 100 when the balance is below 40, at most 100.00 USD a month.\n');
    await run({ below: 20, monthlyLimit: '75' });
    expect(await readSettings()).toMatchObject({ below: 20, credits: 100, monthlyLimit: 7_500 });
  });

  it('without options only ends a pause', async () => {
    await saveAsCustomer();
    await inTransaction(fixture.db, (tx) => pauseRecharge(tx, account, 'restored'));
    await run({});
    expect(await readSettings()).toEqual({ ...ofCustomer, pause: null });
  });

  it('removes the limit only when told to, also without the settings of Stripe', async () => {
    await saveAsCustomer();
    await run({ amount: 50 }, null);
    expect(await readSettings()).toMatchObject({ monthlyLimit: 10_000 });
    await expect(run({ monthlyLimit: 'no' })).rejects.toThrow(/--monthly-limit takes .* or none/);
    await run({ monthlyLimit: 'none' }, null);
    expect(await readSettings()).toMatchObject({ below: 40, credits: 50, monthlyLimit: null });
  });

  it('does not take a limit in another currency for one in that of payments', async () => {
    await setRechargeSettingsAndEndPause(fixture.db, account, { ...ofCustomer, limitCurrency: 'huf' });
    await expect(run({ amount: 100 })).rejects.toThrow('limit is 100.00 HUF: give --monthly-limit in USD');
    expect(await readSettings()).toMatchObject({ credits: 50, limitCurrency: 'huf' });
    await new ShowCreditsCommand(contextWith(fixture.cards)).run([], { account });
    expect(printed).toContain('at most 100.00 HUF a month, paused: currency_changed\n');
    await run({ amount: 100, monthlyLimit: '120' });
    expect(await readSettings()).toMatchObject({ monthlyLimit: 12_000, limitCurrency: 'usd' });
  });

  it('starts with an empty balance as the threshold and without a limit, and needs an amount', async () => {
    await expect(run({ below: 5 })).rejects.toThrow('give --amount');
    expect(await readSettings()).toBeNull();
    await run({ amount: 100 });
    expect(printed).toBe('Recharges 100 when the balance is below 1, without a monthly limit.\n');
  });

  it('refuses --off with other settings', async () => {
    await saveAsCustomer();
    await expect(run({ off: true, below: 5 })).rejects.toThrow('--off');
    expect(await readSettings()).toMatchObject(ofCustomer);
    await run({ off: true });
    expect(await readSettings()).toBeNull();
  });
});

it('credits show prints the monthly limit', async () => {
  await run({ amount: 100, monthlyLimit: '250' });
  await new ShowCreditsCommand(contextWith(fixture.cards)).run([], { account });
  expect(printed).toContain('recharge  100 when below 1, at most 250.00 USD a month\n');
});
