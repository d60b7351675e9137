import { afterAll, beforeAll, expect, it } from 'vitest';
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
