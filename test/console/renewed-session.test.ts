import type { Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PASSWORD } from '../e2e/support/console-users.js';
import { ConsoleAccount } from './support/account.js';
import { Browser, type Tab } from './support/browser.js';
import { getSharedService } from './support/shared-service.js';

const service = getSharedService();
let browser: Browser;

beforeAll(async () => {
  browser = await Browser.launch(service.baseUrl);
});

afterAll(async () => {
  await browser?.close();
});

/** A page of a user, and what another tab of the same browser does: it confirms the password, which renews the cookie. */
async function openPage(path: string) {
  const { client } = await (await ConsoleAccount.open(service)).addUser();
  const tab = await browser.openAs(client, path);
  const before = client.cookie ?? '';
  const renew = async () => {
    const { status } = await client.request('POST', 'profile/second-factor', { current_password: PASSWORD });
    expect([status, client.cookie]).toEqual([200, expect.not.stringMatching(before)]);
    const [cookie] = await tab.context.cookies(service.baseUrl);
    if (cookie) await tab.context.addCookies([{ ...cookie, value: client.cookie?.split('=', 2)[1] ?? '' }]);
  };
  return { tab, before, renew };
}

/** The first request to each address is sent with the cookie before, as one that is on its way during the renewal. */
async function sendFirstWith(
  cookie: string,
  { page }: Tab,
  method: string,
  url: string | RegExp = '**/console/api/**',
): Promise<string[]> {
  const delayed: string[] = [];
  await page.route(url, async (route: Route) => {
    const request = route.request();
    if (request.method() !== method || delayed.includes(request.url())) return route.continue();
    delayed.push(request.url());
    const response = await route.fetch({ headers: { ...(await request.allHeaders()), cookie } });
    expect([response.status(), await response.json()]).toEqual([
      401,
      expect.objectContaining({ code: 'not_signed_in' }),
    ]);
    await route.fulfill({ response });
  });
  return delayed;
}

describe('another tab renews the session', () => {
  it('while a page loads its data: they are loaded with the new cookie', async () => {
    const { tab, before, renew } = await openPage('/console/command-line');
    const { page } = tab;
    await tab.heading('Sign in the command line').waitFor();
    await renew();
    const delayed = await sendFirstWith(before, tab, 'GET');
    await page.getByRole('link', { name: 'Members' }).click();
    await page
      .getByRole('cell', { name: /owner-/ })
      .first()
      .waitFor();
    expect(delayed.length, 'several requests failed at a time').toBeGreaterThan(1);
    expect(await tab.heading('Members').isVisible()).toBe(true);
    await tab.close();
  });

  it('while a tab starts: it shows its page', async () => {
    const { tab, before, renew } = await openPage('/console/command-line');
    await tab.heading('Sign in the command line').waitFor();
    await renew();
    const delayed = await sendFirstWith(before, tab, 'GET', /\/session$/);
    await tab.page.goto('/console/members');
    await tab.heading('Members').waitFor();
    expect(delayed).toHaveLength(1);
    await tab.close();
  });

  it('while a form is sent: it stays, and can be sent again', async () => {
    const { tab, before, renew } = await openPage('/console/keys');
    const { page } = tab;
    await page.getByRole('button', { name: 'Create key' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name', { exact: true }).fill('Archive');
    await renew();
    await sendFirstWith(before, tab, 'POST');
    const session = page.waitForResponse(/\/console\/api\/session$/);
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await dialog.getByRole('alert').waitFor();
    expect((await session).status(), 'the session is read').toBe(200);
    expect(await dialog.getByLabel('Name', { exact: true }).inputValue()).toBe('Archive');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await dialog.getByText('zk_').or(dialog.getByText('shown only now')).first().waitFor();
    await tab.close();
  });

  it('and ends it, while a form is sent: the page asks for a sign-in', async () => {
    const { tab } = await openPage('/console/command-line');
    const { page } = tab;
    await page.getByRole('textbox').first().fill('ABCD-EFGH');
    await tab.context.clearCookies();
    await page.getByRole('main').getByRole('button').first().click();
    await page.getByText('Your session has ended. Sign in to go on where you were.').waitFor();
    expect(new URL(page.url()).searchParams.get('return')).toBe('/command-line');
    await tab.close();
  });
});
