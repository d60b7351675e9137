import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PASSWORD } from '../e2e/support/console-users.js';
import { ConsoleAccount } from './support/account.js';
import { Browser, VIEWS } from './support/browser.js';
import { getSharedService } from './support/shared-service.js';

const FAILS = 'This invitation does not work any more: it was used or withdrawn, or it has expired.';

const service = getSharedService();
let browser: Browser;

beforeAll(async () => {
  browser = await Browser.launch(service.baseUrl);
});

afterAll(async () => {
  await browser?.close();
});

describe.each(VIEWS)('at $name', (view) => {
  it('an invitation that is opened again after its use leads into the console or to the sign-in', async () => {
    const { client } = await (await ConsoleAccount.open(service)).addUser();
    const email = `invited-${view.name}@example.org`;
    const { body } = await client.request('POST', 'invitations', { email, role: 'member' });
    const link = String(body.link);
    const tab = await browser.open(view);
    const { page } = tab;
    await page.goto(link);
    await page.getByLabel('Your name').fill('Invited');
    await page.getByLabel('New password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Join', exact: true }).click();
    await tab.untilSignedIn();

    await page.goto(link);
    await page.getByRole('alert').getByText(FAILS).waitFor();
    await page.getByText(`You are signed in as ${email}.`).waitFor();
    expect(await page.getByRole('button').count()).toBe(0);
    expect(await tab.findProblems(`invitation-used-signed-in-${view.name}`)).toEqual([]);
    await page.getByRole('link', { name: 'Open the console' }).click();
    await tab.untilSignedIn();

    await tab.context.clearCookies();
    await page.goto(link);
    await page.getByRole('alert').getByText(FAILS).waitFor();
    await page.getByText('If you joined with it, sign in.').waitFor();
    expect(await page.getByLabel('New password').count()).toBe(0);
    expect(await tab.findProblems(`invitation-used-${view.name}`)).toEqual([]);
    await page.getByRole('link', { name: 'Go to sign-in' }).click();
    await tab.signIn(email, PASSWORD);
    await tab.untilSignedIn();
    await tab.close();
  });
});
