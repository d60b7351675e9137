import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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

describe('that a value was saved', () => {
  it.each([
    { path: 'settings', label: 'Name', message: 'The name was changed.', values: ['Radio', 'Press'] },
    { path: 'profile', label: 'Name', message: 'Your name was changed.', values: ['Ada', 'Eve'] },
    { path: 'billing?view=payments', label: 'Alert below', message: 'Saved.', values: ['100', 'many'] },
  ])(
    'is not said of another one on $path',
    async ({ path, label, message, values: [saved = '', other = ''] }) => {
      const { client } = await (await ConsoleAccount.open(service)).addUser();
      const tab = await browser.openAs(client, `/console/${path}`);
      const { page } = tab;
      const field = page.getByLabel(label, { exact: true });
      const form = page.locator('form', { has: field });
      await field.fill(saved);
      await form.getByRole('button', { name: 'Save' }).click();
      await form.getByText(message).waitFor();
      await field.fill(other);
      await expect.poll(() => form.getByText(message).count()).toBe(0);
      await tab.close();
    },
  );

  it('is not said of a retention whose question was cancelled', async () => {
    const { client } = await (await ConsoleAccount.open(service)).addUser();
    const tab = await browser.openAs(client, '/console/settings');
    const { page } = tab;
    const days = page.getByLabel('Days to keep transcripts');
    const save = page.getByRole('button', { name: 'Save retention' });
    const question = page.getByRole('dialog', { name: /^Keep transcripts for/ });
    const message = page.getByText('The retention was changed.');
    await days.fill('30');
    await save.first().click();
    await question.getByRole('button', { name: 'Save retention' }).click();
    await message.waitFor();
    await days.fill('7');
    await save.first().click();
    await question.getByRole('button', { name: 'Cancel' }).click();
    await question.waitFor({ state: 'detached' });
    expect(await message.count()).toBe(0);
    await days.fill('abc');
    await save.first().click();
    await page.getByText(/^Enter a whole number/).waitFor();
    expect(await message.count()).toBe(0);
    await tab.close();
  });
});
