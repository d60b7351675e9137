import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConsoleClient } from '../e2e/support/console-client.js';
import { PASSWORD } from '../e2e/support/console-users.js';
import { ConsoleAccount } from './support/account.js';
import { Browser, VIEWS } from './support/browser.js';
import { getSharedService } from './support/shared-service.js';

interface Started {
  device_code: string;
  user_code: string;
}

const MACHINE = '<script>alert(1)</script> laptop';

const service = getSharedService();
const commandLine = new ConsoleClient(service);
let browser: Browser;

beforeAll(async () => {
  browser = await Browser.launch(service.baseUrl);
});

afterAll(async () => {
  await browser?.close();
});

const start = async () =>
  (await commandLine.request<Started>('POST', 'command-line/start', { machine: MACHINE })).body;

const poll = async ({ device_code }: Started) =>
  (
    await commandLine.request<{ state: string; api_key: string | null }>('POST', 'command-line/poll', {
      device_code,
    })
  ).body;

describe.each(VIEWS)('the sign-in of the command line at $name', (view) => {
  it('asks for a sign-in and the code, says what is granted, approves and refuses', async () => {
    const { email } = await (await ConsoleAccount.open(service)).addUser('member');
    const tab = await browser.open(view);
    const { page } = tab;
    const expectSound = async (name: string) =>
      expect(await tab.findProblems(`command-line-${name}-${view.name}`), name).toEqual([]);

    const approved = await start();
    await page.goto('/console/command-line');
    await tab.heading('Sign in').waitFor();
    await tab.signIn(email, PASSWORD);
    await tab.heading('Sign in the command line').waitFor();
    await page.getByLabel('Code').fill('BBBB-BBBB');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('No command line waits with this code.').waitFor();
    await expectSound('unknown');
    await page.getByLabel('Code').fill(approved.user_code.toLowerCase());
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('heading', { name: 'Let this machine use the account an organisation?' }).waitFor();
    await page.getByText(MACHINE).waitFor();
    await page.getByText('127.0.0.1').waitFor();
    expect(await page.getByLabel('Name').inputValue()).toBe(`zephyr on ${MACHINE}`);
    await expectSound('question');
    await page.getByLabel('Name').fill('my laptop');
    await page.getByLabel('Expiry').selectOption('30');
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByText('Approved. The program gets its key').waitFor();
    await expectSound('approved');
    expect(await poll(approved)).toMatchObject({
      state: 'approved',
      api_key: expect.stringMatching(/^zk_/) as string,
    });
    await page.getByRole('main').getByRole('link', { name: 'To the keys' }).click();
    await page.getByRole('row', { name: /my laptop/ }).waitFor();

    const refused = await start();
    await page.goto('/console/command-line');
    await page.getByLabel('Code').fill(refused.user_code);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('button', { name: 'Refuse' }).click();
    await page.getByText('Refused. The program gets no key.').waitFor();
    expect((await poll(refused)).state).toBe('ended');
    await tab.close();
  });
});

describe('a viewer', () => {
  it('is told that the role may not create keys', async () => {
    const { client } = await (await ConsoleAccount.open(service)).addUser('viewer');
    const tab = await browser.openAs(client, '/console/command-line', VIEWS[0]);
    await tab.page.getByText('Your role in this account may not create keys.').waitFor();
    expect(await tab.page.getByLabel('Code').count()).toBe(0);
    await tab.close();
  });
});
