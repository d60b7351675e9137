import { afterAll, beforeAll, expect, it } from 'vitest';
import { ConsoleAccount } from './support/account.js';
import { Browser } from './support/browser.js';
import { insertEndedJobs } from './support/ended-jobs.js';
import { getSharedService } from './support/shared-service.js';

const service = getSharedService();
let browser: Browser;

beforeAll(async () => {
  browser = await Browser.launch(service.baseUrl);
});

afterAll(async () => {
  await browser?.close();
});

it.each(['jobs', 'audit'])('a day is typed into the filter of the page %s', async (path) => {
  const account = await ConsoleAccount.open(service);
  const { client } = await account.addUser();
  await insertEndedJobs(service, account.id, 1);
  const tab = await browser.openAs(client, `/console/${path}`);
  const { page } = tab;
  const requested: string[] = [];
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url());
    const since = searchParams.get('since') ?? searchParams.get('created_after');
    if (pathname === `/console/api/${path}` && since !== null) requested.push(since);
  });
  const since = page.getByLabel('From day');
  // The same in each order of day and month.
  await since.pressSequentially('05052026');
  await expect.poll(() => page.url()).toContain('2026-05-05');
  expect(await since.inputValue()).toBe('2026-05-05');
  await expect.poll(() => requested).toContain('2026-05-05T00:00:00.000Z');
  expect(requested).toEqual(requested.filter((day) => day === '2026-05-05T00:00:00.000Z'));
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect.poll(() => since.inputValue()).toBe('');
  await since.fill('2026-05-06');
  await since.blur();
  await expect.poll(() => page.url()).toContain('2026-05-06');
  await tab.close();
});
