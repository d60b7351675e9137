import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConsoleAccount, type ConsoleUser } from './support/account.js';
import { Browser, type Tab, VIEWS } from './support/browser.js';
import { getSharedService } from './support/shared-service.js';

const SCRIPT = /\/console\/assets\/audit-[^/]+\.js$/;

const service = getSharedService();
let browser: Browser;
let user: ConsoleUser;

beforeAll(async () => {
  browser = await Browser.launch(service.baseUrl);
  user = await (await ConsoleAccount.open(service)).addUser();
  await user.client.request('POST', 'keys', { name: 'Newsroom' });
});

afterAll(async () => {
  await browser?.close();
});

const goOffline = ({ context }: Tab) => context.setOffline(true);
/** As a network of which the browser does not notice that it leads nowhere. */
const failRequests = ({ page }: Tab) => page.route('**/console/api/**', (route) => route.abort());

/** A tab that has lost its connection before it has loaded the script of the audit log. */
async function openWithoutScript(
  view?: (typeof VIEWS)[number],
  disconnect: (tab: Tab) => Promise<unknown> = goOffline,
): Promise<Tab> {
  const tab = await browser.open(view);
  await tab.page.route(SCRIPT, (route) => route.abort('internetdisconnected'));
  // The page asks for it after the first attempt, which it makes when it is idle.
  const isTried = tab.page.waitForResponse(/\/console\/api\/sign-in\/methods$/);
  await browser.addSession(tab, user.client);
  await tab.page.goto('/console/command-line');
  await tab.heading('Sign in the command line').waitFor();
  await (await isTried).finished();
  await disconnect(tab);
  await tab.page.getByRole('link', { name: 'Audit log' }).click();
  await tab.page.getByRole('alert').getByText('The service cannot be reached.').waitFor();
  return tab;
}

async function reconnect({ page, context }: Tab): Promise<void> {
  await page.unrouteAll();
  await context.setOffline(false);
}

async function untilLoaded(tab: Tab): Promise<void> {
  await tab.heading('Audit log').waitFor();
  await tab.page.getByTitle('key.created').first().waitFor();
}

describe('a page whose script could not be loaded', () => {
  it.each(VIEWS)('says so without the connection, in the console, at $name', async (view) => {
    const tab = await openWithoutScript(view);
    await tab.page.getByRole('button', { name: 'Try again' }).click();
    await tab.page.getByRole('alert').getByText('The service cannot be reached.').waitFor();
    await tab.page.getByRole('button', { name: /^Your menu/ }).waitFor();
    const problems = await tab.findProblems(`page-script-offline-${view.name}`);
    expect(problems.filter((problem) => !problem.includes('NoResponseError'))).toEqual([]);
    await tab.close();
  });

  it('is shown when the connection is back, without a click', async () => {
    const tab = await openWithoutScript();
    await reconnect(tab);
    await untilLoaded(tab);
    expect(await tab.page.getByRole('alert').count()).toBe(0);
    await tab.close();
  });

  it('is shown by Try again', async () => {
    const tab = await openWithoutScript(VIEWS[2], failRequests);
    await reconnect(tab);
    await tab.page.getByRole('button', { name: 'Try again' }).click();
    await untilLoaded(tab);
    expect(await tab.page.getByRole('alert').count()).toBe(0);
    await tab.close();
  });

  it('is shown when it is opened again', async () => {
    const tab = await openWithoutScript();
    await tab.page.getByRole('link', { name: 'Members' }).click();
    await tab.heading('Members').waitFor();
    await reconnect(tab);
    await tab.page.getByRole('link', { name: 'Audit log' }).click();
    await untilLoaded(tab);
    expect(await tab.page.getByRole('alert').count()).toBe(0);
    await tab.close();
  });
});
