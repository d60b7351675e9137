import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebhookReceiver } from '../e2e/support/webhook-receiver.js';
import { ConsoleAccount } from './support/account.js';
import { Browser, VIEWS } from './support/browser.js';
import { getSharedService } from './support/shared-service.js';

const SCRIPT = '<script>alert(1)</script><img src=x onerror=alert(2)>';

const service = getSharedService();
let browser: Browser;
let receiver: WebhookReceiver;

beforeAll(async () => {
  receiver = await WebhookReceiver.start();
  browser = await Browser.launch(service.baseUrl);
});

afterAll(async () => {
  await browser?.close();
  await receiver?.close();
});

describe.each(VIEWS)('webhooks at $name', (view) => {
  it('endpoints, test events, deliveries and the secret work, have no accessibility finding and fit', async () => {
    const { client } = await (await ConsoleAccount.open(service, 100)).addUser();
    const token = 'a-rather-long-token-in-the-query-of-the-address';
    const url = receiver.reply(`/hook-${view.name}?token=${token}`, {
      ...{ status: 404, body: `${SCRIPT}\n${'an answer that goes on '.repeat(200)}` },
    });
    const masked = url.replace(token, '***');
    const tab = await browser.openAs(client, '/console/webhooks', view);
    const { page } = tab;
    const expectSound = async (name: string) =>
      expect(await tab.findProblems(`webhooks-${name}-${view.name}`), name).toEqual([]);

    await tab.heading('Webhooks').waitFor();
    await page.getByText('No endpoint yet.').waitFor();
    await page.getByText('Nothing has been sent yet.').waitFor();
    expect(await page.getByRole('button', { name: 'Replay failed deliveries' }).count()).toBe(0);
    await expectSound('empty');

    await page.getByRole('button', { name: 'Add endpoint' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('URL').fill('http://10.0.0.1/');
    await dialog.getByRole('button', { name: 'Add endpoint' }).click();
    await dialog.getByText('this address is not reachable from the service').waitFor();
    await expectSound('refused');
    await dialog.getByLabel('URL').fill(url);
    await dialog.getByLabel('Description').fill(SCRIPT);
    await dialog.getByRole('button', { name: 'Add endpoint' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText(SCRIPT).waitFor();

    await page.getByRole('button', { name: `Send test to ${masked}` }).click();
    await tab.heading('Delivery').waitFor();
    await page.getByText('Status 404').waitFor();
    await page.getByRole('region', { name: 'Attempt 1: Response' }).getByText(SCRIPT).waitFor();
    await page.getByText('Request', { exact: true }).click();
    await page.getByRole('region', { name: 'Attempt 1: Headers' }).getByText('x-svc-signature').waitFor();
    await expectSound('delivery');
    await page.getByRole('button', { name: 'Replay' }).click();
    await page.getByRole('heading', { name: 'Attempt 2' }).waitFor();
    expect(await page.getByText('Status 404').count()).toBe(2);

    const { body } = await client.request<{ job_id: string }>('POST', 'upload', { file_size: 1 });
    const { job_id } = body;
    expect((await client.request('POST', `jobs/${job_id}/cancel`)).status).toBeLessThan(300);
    await page.goto(`/console/webhooks?job=${job_id}`);
    await page.getByText(`Only job ${job_id}`).waitFor();
    await page.getByRole('cell', { name: 'Status 404' }).waitFor();
    expect(await page.getByRole('link', { name: /^Details of/ }).count()).toBe(1);
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByRole('link', { name: /^Details of Test/ }).waitFor();
    expect(await page.content()).not.toContain(token);
    await page
      .getByRole('table', { name: 'Endpoints' })
      .getByRole('button', { name: `Show: ${masked}` })
      .click();
    await page.getByRole('table', { name: 'Endpoints' }).getByText(url).waitFor();
    await expectSound('deliveries');
    await page.getByRole('button', { name: 'Replay failed deliveries' }).click();
    await expectSound('replay-failed');
    await dialog.getByRole('button', { name: 'Replay failed deliveries' }).click();
    await page.getByText('1 delivery is sent again.').waitFor();

    await page.getByRole('button', { name: 'Reveal' }).click();
    const secret = await page.getByRole('status', { name: 'Signing secret', exact: true }).innerText();
    expect(secret).toMatch(/^whsec_/);
    await page.getByRole('button', { name: 'Rotate' }).click();
    await expectSound('rotate');
    await dialog.getByRole('button', { name: 'Rotate' }).click();
    await page.getByText('The previous secret also signs until').waitFor();
    expect(await page.getByRole('status', { name: 'Signing secret', exact: true }).innerText()).not.toBe(
      secret,
    );
    await page.getByRole('button', { name: 'Go', exact: true }).click();
    await page.getByRole('region', { name: 'Code for Go' }).getByText('hmac.Equal').waitFor();
    await expectSound('secret');

    await page.getByRole('button', { name: `Edit ${masked}` }).click();
    await dialog.getByLabel('Enabled').uncheck();
    await dialog.getByLabel('Job completed').uncheck();
    await expectSound('edit');
    await dialog.getByLabel('Job failed').uncheck();
    await dialog.getByRole('button', { name: 'Save' }).click();
    const events = dialog.getByRole('group', { name: 'Events' });
    await tab.untilFocused(events);
    const described = (await events.getAttribute('aria-describedby')) ?? '';
    expect(await page.locator(`[id="${described}"]`).innerText()).toBe('Choose at least one event.');
    await expectSound('edit-no-event');
    await dialog.getByLabel('Job failed').check();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('cell', { name: 'Disabled' }).waitFor();
    await page.getByRole('button', { name: `Delete ${masked}` }).click();
    await expectSound('delete');
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No endpoint yet.').waitFor();
    await page.goto('/console/audit?action=webhooks.');
    await page
      .getByRole('row', { name: /Webhook endpoint created/ })
      .getByText(url.replace(/\?.*/, ''))
      .waitFor();
    expect(await page.content()).not.toContain(token);
    await tab.close();
  });
});

describe('webhooks', () => {
  it('a viewer sees deliveries, and can change nothing', async () => {
    const { client } = await (await ConsoleAccount.open(service)).addUser('viewer');
    const tab = await browser.openAs(client, '/console/webhooks');
    await tab.page.getByText('Nothing has been sent yet.').waitFor();
    expect(await tab.page.getByRole('main').textContent()).not.toMatch(/Add one|Verify/);
    for (const name of ['Add endpoint', 'Replay failed', 'Reveal', 'Rotate'])
      expect(await tab.page.getByRole('button', { name }).count(), name).toBe(0);
    await tab.close();
  });

  it('a filter of deliveries does not move the page', async () => {
    const { client } = await (await ConsoleAccount.open(service)).addUser();
    const tab = await browser.openAs(client, '/console/webhooks', VIEWS[0]);
    const { page } = tab;
    await page.getByText('Nothing has been sent yet.').waitFor();
    const state = page.getByLabel('State', { exact: true });
    await state.evaluate((select) => select.scrollIntoView({ block: 'start' }));
    const before = await page.evaluate<number>('scrollY');
    expect(before).toBeGreaterThan(0);
    await state.selectOption('failed');
    await page.getByRole('button', { name: 'Clear filters' }).waitFor();
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    expect(await page.evaluate('scrollY')).toBe(before);
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await tab.untilFocused(state.locator('xpath=ancestor::form'));
    await tab.close();
  });

  it('a lost connection and a busy service are shown, and what failed can be tried again', async () => {
    const { client } = await (await ConsoleAccount.open(service)).addUser();
    const tab = await browser.openAs(client, '/console/settings');
    const { page } = tab;
    const answers: ('lost' | 'busy' | 'through')[] = ['lost'];
    await page.route('**/console/api/deliveries*', async (route) => {
      if (answers[0] === 'lost') return route.abort('connectionrefused');
      if (answers[0] === 'busy') return route.fulfill({ status: 503, headers: { 'retry-after': '5' } });
      return route.continue();
    });
    await page.goto('/console/webhooks');
    await page.getByText('The service cannot be reached.').waitFor();
    expect(await tab.findProblems('webhooks-offline')).toEqual([]);
    answers[0] = 'busy';
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('Try again in 5 seconds.').waitFor();
    answers[0] = 'through';
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('Nothing has been sent yet.').waitFor();
    await tab.close();
  });

  it('a delivery that does not exist, or of another account, is reported', async () => {
    const { client } = await (await ConsoleAccount.open(service)).addUser();
    const path = '/console/webhooks/deliveries/0193a5c0-0000-7000-8000-000000000000';
    const tab = await browser.openAs(client, path);
    await tab.page.getByText('The account has no such webhook delivery.').waitFor();
    expect(await tab.findProblems('delivery-unknown')).toEqual([]);
    await tab.close();
  });
});
