import { afterAll, beforeAll, expect, it } from 'vitest';
import { ConsoleAccount } from './support/account.js';
import { Browser, VIEWS } from './support/browser.js';
import { CONSOLE_PAGES, preparePages } from './support/console-pages.js';
import { getSharedService } from './support/shared-service.js';

const service = getSharedService();
let browser: Browser;

beforeAll(async () => {
  browser = await Browser.launch(service.baseUrl);
});
afterAll(async () => {
  await browser?.close();
});

it.each([VIEWS[0], VIEWS[2]])(
  'signing out is in the menu of every page, and ends the session (at $name)',
  async (view) => {
    const { client } = await (await ConsoleAccount.open(service, 10_000)).addUser();
    const toPath = await preparePages(client);
    const tab = await browser.openAs(client, '/console/', view);
    const { page } = tab;
    const menu = page.getByRole('button', { name: /^Your menu/ });
    const signOut = page.getByRole('menuitem', { name: 'Sign out' });
    for (const shown of CONSOLE_PAGES) {
      await page.goto(`/console/${toPath(shown)}`);
      await menu.click();
      await signOut.waitFor();
      await page.keyboard.press('Escape');
    }
    expect((await client.request('GET', 'session')).status).toBe(200);
    await menu.click();
    await signOut.click();
    await tab.heading('Sign in').waitFor();
    expect((await client.request('GET', 'session')).status).toBe(401);
    await page.goto('/console/jobs');
    await tab.heading('Sign in').waitFor();
    await tab.close();
  },
);
