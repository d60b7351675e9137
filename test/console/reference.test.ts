import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Browser, VIEWS } from './support/browser.js';
import { getSharedService } from './support/shared-service.js';

const service = getSharedService();
let browser: Browser;

beforeAll(async () => {
  browser = await Browser.launch(service.baseUrl);
});

afterAll(async () => {
  await browser?.close();
});

describe.each(VIEWS)('the API reference at $name', (view) => {
  it('keeps to its own policy, fits, and leads back to the console', async () => {
    const tab = await browser.open(view);
    const { page } = tab;
    const messages: string[] = [];
    page.on('console', (message) => void (message.type() === 'error' && messages.push(message.text())));
    await page.goto('/docs');
    await page.getByRole('heading', { name: 'From a file to a transcript' }).first().waitFor();
    await page.keyboard.press('End');
    await page
      .getByRole('heading', { name: /Models/ })
      .first()
      .waitFor();
    expect(messages).toEqual([]);
    await page.getByRole('link', { name: 'Back to the console' }).click();
    await tab.heading('Sign in').waitFor();
    await tab.close();
  });
});
