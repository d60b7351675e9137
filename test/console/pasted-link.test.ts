import { afterAll, beforeAll, expect, it } from 'vitest';
import { ConsoleAccount } from './support/account.js';
import { Browser } from './support/browser.js';
import { getSharedService } from './support/shared-service.js';

const service = getSharedService();
let browser: Browser;

beforeAll(async () => {
  browser = await Browser.launch(service.baseUrl);
});

afterAll(async () => {
  await browser?.close();
});

it('a sign-in link that is pasted into its own page is taken, and its token leaves the address bar', async () => {
  const tab = await browser.open();
  const { page } = tab;
  await page.goto('/console/sign-in');
  await tab.heading('Sign in').waitFor();
  for (const token of ['first', 'second']) {
    const sent = page.waitForRequest('**/console/api/sign-in/link');
    // Loads nothing: only what is after # differs.
    await page.goto(`/console/sign-in#${token}`);
    await page
      .getByRole('button', { name: 'Sign in', exact: true })
      .and(page.locator(':not([type=submit])'))
      .click();
    expect((await sent).postDataJSON()).toEqual({ token });
    await page.getByRole('alert').waitFor();
    expect(new URL(page.url()).hash).toBe('');
  }
  await tab.close();
});

it('an invitation whose link is pasted into the page of another one is shown before it can be accepted', async () => {
  const [first = '', second = ''] = await Promise.all(
    ['member', 'viewer'].map(async (role) => {
      const { client } = await (await ConsoleAccount.open(service)).addUser();
      const { body } = await client.request('POST', 'invitations', {
        email: `${role}-invited@example.org`,
        role,
      });
      return String(body['link']);
    }),
  );
  const tab = await browser.open();
  const { page } = tab;
  await page.goto(first);
  await page.getByText('member-invited@example.org').waitFor();
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/invitation/preview', async (route) => {
    await released;
    await route.continue();
  });
  const asked = page.waitForRequest('**/invitation/preview');
  await page.goto(second);
  await asked;
  await expect.poll(() => page.getByText('member-invited@example.org').count()).toBe(0);
  release();
  await page.getByText('viewer-invited@example.org').waitFor();
  await tab.close();
});
