import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PASSWORD } from '../e2e/support/console-users.js';
import { until } from '../e2e/support/until.js';
import { type Customer, PaymentService } from '../payments/support/payment-service.js';
import { ConsoleAccount } from './support/account.js';
import { Browser, type Tab, VIEWS } from './support/browser.js';
import { generateUsage } from './support/generate-usage.js';

const SCRIPT = '<img src=x onerror=alert(1)>';

let system: PaymentService;
let browser: Browser;

beforeAll(async () => {
  system = await PaymentService.start({ SIGN_IN_ATTEMPTS_PER_ADDRESS: '1000' });
  browser = await Browser.launch(system.service.baseUrl);
});

afterAll(async () => {
  await browser?.close();
  await system?.stop();
});

/** @returns a tab of a new user of the customer, on a page that has nothing of billing yet */
async function openAs({ id }: Customer, role = 'owner', view?: (typeof VIEWS)[number]): Promise<Tab> {
  const { client } = await ConsoleAccount.of(system.service, id).addUser(role);
  return browser.openAs(client, '/console/profile', view);
}

async function openBilling(tab: Tab, path = '/console/billing'): Promise<void> {
  await tab.page.goto(path);
  await tab.heading('Usage and billing').waitFor();
}

describe.each(VIEWS)('at $name', (view) => {
  it('usage, top-up, card, auto-recharge, payments and ledger work and fit', async () => {
    const customer = await system.openAccount();
    const tab = await openAs(customer, 'owner', view);
    const { page } = tab;
    const expectSound = async (name: string) =>
      expect(await tab.findProblems(`billing-${name}-${view.name}`), name).toEqual([]);
    await page.route('**/console/api/usage?*', async (route) => {
      const { searchParams } = new URL(route.request().url());
      await route.fulfill({
        json: generateUsage(searchParams.get('from') ?? '', Number(searchParams.get('days')), SCRIPT),
      });
    });
    await openBilling(tab);
    await page.getByText('no credits left: no jobs can be created').waitFor();
    await page.getByRole('link', { name: 'Top up' }).waitFor();
    await page.getByRole('img', { name: /^Credits by day and Key/ }).waitFor();
    await page.getByText(SCRIPT).first().waitFor();
    await expectSound('usage');
    await page.getByLabel('Period').selectOption('90');
    await page.getByLabel('Show', { exact: true }).selectOption('audio');
    await page.getByLabel('By', { exact: true }).selectOption('kind');
    await page.getByRole('img', { name: /^Audio time by day and Kind/ }).waitFor();
    await page.getByRole('button', { name: 'Show all days' }).click();
    expect(await page.getByRole('table', { name: 'By day' }).getByRole('row').count()).toBe(91);

    await page.getByRole('link', { name: 'Payments', exact: true }).click();
    await page.getByText('No card is saved.').waitFor();
    await page.getByText('There are no payments yet.').waitFor();
    await expectSound('payments-empty');
    await page.getByRole('button', { name: 'Buy 50 credits for US$50.00' }).click();
    await page.getByRole('link', { name: 'Back' }).click();
    await page.getByText('The payment was cancelled. Nothing was charged.').waitFor();
    await expectSound('cancelled');
    await page.getByRole('link', { name: 'Payments', exact: true }).click();
    await page.getByRole('button', { name: 'Buy 100 credits for US$100.00' }).click();
    await page.getByRole('link', { name: 'Pay', exact: true }).click();
    await page.getByText('Thank you: 100 credits were added.').waitFor();
    expect(new URL(page.url()).origin).toBe(system.service.baseUrl);
    await page.getByText('no credits left').waitFor({ state: 'detached' });
    await expectSound('paid');
    await page.getByRole('button', { name: 'Close' }).click();

    await page.getByText('Visa ending in 4242').waitFor();
    await page.getByLabel('Recharge below').fill('many');
    await page.getByRole('button', { name: 'Turn on' }).click();
    await page.getByText('Enter a whole number.').waitFor();
    await page.getByLabel('Recharge below').fill('20');
    await page.getByLabel('Limit for a month').fill('1');
    await page.getByRole('button', { name: 'Turn on' }).click();
    await page.getByText('Must be at least the price of one recharge.').waitFor();
    await page.getByLabel('Limit for a month').fill('250');
    await page.getByRole('button', { name: 'Turn on' }).click();
    await page.getByText('Charged by auto-recharge this month: US$0.00 of US$250.00.').waitFor();
    await page.getByLabel('Alert below').fill('150');
    const alert = page.getByRole('region', { name: 'Alert' });
    await alert.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The balance is low: 100 credits are left.').waitFor();
    await page.getByRole('button', { name: /^Receipt of/ }).waitFor();
    await expectSound('payments');

    await page.getByRole('button', { name: 'Turn off' }).click();
    await page.getByRole('status').getByText('Auto-recharge is off.').waitFor();
    const focusable = (text: string) => page.locator('div[tabindex="-1"]').filter({ hasText: text });
    await tab.untilFocused(focusable('Auto-recharge is off.'));

    await page.getByRole('button', { name: 'Remove card' }).click();
    await page.getByRole('dialog').getByLabel('Current password', { exact: true }).fill(PASSWORD);
    await page.getByRole('dialog').getByRole('button', { name: 'Remove card' }).click();
    await page.getByText('No card is saved.').waitFor();
    await tab.untilFocused(focusable('No card is saved.'));
    await page.getByText('Auto-recharge needs a saved card').waitFor();

    await page.getByRole('link', { name: 'Ledger', exact: true }).click();
    await page.getByRole('cell', { name: '+100' }).waitFor();
    await expectSound('ledger');
    await tab.close();
  });
});

describe('billing', () => {
  it('shows members usage and ledger, and no payments', async () => {
    const customer = await system.openAccount(7);
    const tab = await openAs(customer, 'member');
    await openBilling(tab, '/console/billing?view=payments');
    await tab.page.getByText('There are no jobs of this period.').waitFor();
    expect(await tab.page.getByRole('link', { name: 'Payments', exact: true }).count()).toBe(0);
    expect(await tab.findProblems('billing-member')).toEqual([]);
    await tab.close();
  });

  it('opens the receipt at the address that Stripe gives now, and says when Stripe does not answer', async () => {
    const customer = await system.openAccount();
    await system.buy(customer);
    await system.untilBalance(customer, 50);
    // The one that was stored with the payment has expired.
    const [intent = ''] = system.paidIntents(customer);
    const charges = [...system.stripe.state.charges.values()];
    const charge = charges.find(({ payment_intent }) => payment_intent === intent);
    const renewed = `${system.stripe.url}/receipts/renewed`;
    if (charge) charge.receipt_url = renewed;
    const tab = await openAs(customer);
    await openBilling(tab, '/console/billing?view=payments');
    const receipt = tab.page.getByRole('button', { name: /^Receipt of/ });
    const opened = tab.page.waitForEvent('popup');
    await receipt.click();
    await (await opened).waitForURL(renewed);
    // Reconciliation asks for other payments all the time.
    system.stripe.failNext(new RegExp(`payment_intents/${intent}$`), 'error_500');
    await receipt.click();
    await tab.page.getByText('The service is busy. Try again in a minute.').waitFor();
    expect(await tab.findProblems('billing-receipt')).toEqual([]);
    await tab.close();
  });

  it('tells that an empty balance is recharged, and no longer of a pause once the settings are saved', async () => {
    const customer = await system.openAccount();
    await system.buy(customer, 50, { onSession: 'succeeds', offSession: { decline: 'stolen_card' } });
    await system.untilBalance(customer, 50);
    await system.recharge(customer, '--amount', '100', '--below', '100');
    await customer.caller.create({ file_size: 1 });
    await until('auto-recharge is paused', async () => (await system.credits(customer)).recharge?.paused);
    const tab = await openAs(customer);
    await openBilling(tab, '/console/billing?view=payments');
    const banner = tab.page.getByText('Its settings say why, and saving them resumes it.');
    await banner.waitFor();
    expect(await tab.findProblems('billing-paused')).toEqual([]);
    const settings = tab.page.getByRole('region', { name: 'Auto-recharge' });
    await settings.getByRole('button', { name: 'Save' }).click();
    await banner.waitFor({ state: 'detached' });
    const emptied = ['credits', 'grant', '--account', customer.id, '--credits', '-50', '--json'];
    await system.service.adminJson(...emptied);
    await tab.page.reload();
    await tab.page.getByText('The next job charges the saved card').waitFor();
    await tab.close();
  });

  it('tells who may not pay whom to ask, and who may pay where to top up', async () => {
    const customer = await system.openAccount();
    const ofMember = await openAs(customer, 'member');
    await ofMember.page.getByText('Ask an owner or admin to top up.').waitFor();
    expect(await ofMember.page.getByRole('link', { name: 'Top up' }).count()).toBe(0);
    await ofMember.close();
    const tab = await openAs(customer);
    await tab.page.getByRole('link', { name: 'Top up' }).click();
    await tab.page.getByRole('button', { name: /^Buy 50/ }).waitFor();
    // It would lead to where it is.
    expect(await tab.page.getByRole('link', { name: 'Top up' }).count()).toBe(0);
    await tab.close();
  });

  it('keeps what another admin changes of auto-recharge while its form is open', async () => {
    const customer = await system.openAccount();
    await system.buy(customer);
    await system.untilBalance(customer, 50);
    const { client } = await ConsoleAccount.of(system.service, customer.id).addUser();
    const save = (settings: object) => client.request('PUT', 'billing/auto-recharge', settings);
    expect((await save({ credits: 50, below: 20, monthly_limit: null })).status).toBe(204);
    const tab = await browser.openAs(client, '/console/billing?view=payments');
    const { page } = tab;
    const below = page.getByLabel('Recharge below');
    const form = page.locator('form', { has: below });
    await page.getByText('Charged by auto-recharge this month: US$0.00.').waitFor();
    await below.fill('30');
    expect((await save({ credits: 50, below: 20, monthly_limit: 25_000 })).status).toBe(204);
    await page.evaluate(`document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))`);
    await page.getByText('US$0.00 of US$250.00.').waitFor();
    expect(await page.getByLabel('Limit for a month').inputValue()).toBe('250.00');
    await form.getByRole('button', { name: 'Save' }).click();
    await form.getByText('Saved.').waitFor();
    expect((await client.request('GET', 'billing')).body).toMatchObject({
      auto_recharge: { credits: 50, below: 30, monthly_limit: 25_000 },
    });
    await below.fill('many');
    await form.getByText('Saved.').waitFor({ state: 'detached' });
    await tab.close();
  });

  it('lets somebody who does not leave for the page of Stripe buy later', async () => {
    const tab = await openAs(await system.openAccount(7));
    const { page } = tab;
    await openBilling(tab, '/console/billing?view=payments');
    await page.evaluate(
      `addEventListener('beforeunload', (event) => event.preventDefault(), { once: true })`,
    );
    const asked = page.waitForEvent('dialog');
    const buy = page.getByRole('button', { name: /^Buy 50/ });
    await buy.click();
    await (await asked).dismiss();
    await page.getByText('Opening the page of Stripe').waitFor({ state: 'detached' });
    expect(await tab.findProblems('billing-stayed')).toEqual([]);
    await buy.click();
    await page.getByRole('link', { name: 'Pay', exact: true }).waitFor();
    await tab.close();
  });

  it('asks Stripe again while the payment is not reported, and shows nothing of another account’s payment', async () => {
    const customer = await system.openAccount();
    const { paymentId, sessionId } = await system.openCheckout(customer);
    const tab = await openAs(customer);
    await openBilling(tab, `/console/billing?payment=${paymentId}&result=paid`);
    await tab.page.getByText('Stripe has not reported the payment yet.').waitFor();
    expect(await tab.findProblems('billing-open')).toEqual([]);
    system.stripe.webhooks.mode = 'drop';
    system.stripe.state.payCheckout(sessionId);
    await tab.page.getByRole('button', { name: 'Check again' }).click();
    await tab.page.getByText('Thank you: 50 credits were added.').waitFor();
    system.stripe.webhooks.mode = 'deliver';
    const other = await system.openCheckout(await system.openAccount());
    await tab.page.goto(`/console/billing?payment=${other.paymentId}&result=paid`);
    await tab.page.getByText('This payment is not one of this account.').waitFor();
    await tab.close();
  });

  it('says when Stripe does not answer, when the connection is lost, and goes on afterwards', async () => {
    const customer = await system.openAccount(7);
    const tab = await openAs(customer);
    const { page } = tab;
    await openBilling(tab, '/console/billing?view=payments');
    system.stripe.failNext(/checkout\/sessions$/, 'error_500');
    await page.getByRole('button', { name: /^Buy 50/ }).click();
    await page.getByText('The service is busy. Try again in a minute.').waitFor();
    await page.getByText('Nothing was charged.').waitFor();
    expect(await tab.findProblems('billing-503')).toEqual([]);
    await page.route('**/console/api/ledger', (route) => route.abort('connectionrefused'));
    await page.getByRole('link', { name: 'Ledger', exact: true }).click();
    await page.getByText('No connection').waitFor();
    await page.unroute('**/console/api/ledger');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('cell', { name: '+7' }).waitFor();
    await tab.close();
  });
});
