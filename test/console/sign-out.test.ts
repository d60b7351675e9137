import { afterAll, beforeAll, expect, it } from 'vitest';
import { silentWav } from '../e2e/support/audio.js';
import { PASSWORD } from '../e2e/support/console-users.js';
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

it('signing out asks before it ends uploads', async () => {
  const { client } = await (await ConsoleAccount.open(service)).addUser();
  const tab = await browser.openAs(client, '/console/transcribe');
  const { page } = tab;
  await page.route('**/upload/multipart/create', (route) => route.abort('connectionrefused'));
  await page.locator('input[type=file]').setInputFiles({
    name: 'talk.wav',
    mimeType: 'audio/wav',
    buffer: Buffer.from(silentWav(1)),
  });
  const created = page.waitForRequest('**/upload/multipart/create');
  await page.getByRole('button', { name: 'Transcribe 1 file' }).click();
  await created;
  await page.getByRole('link', { name: 'Members' }).click();
  await tab.heading('Members').waitFor();
  const signOut = async () => {
    await page.getByRole('button', { name: /^Your menu/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
  };
  const question = page.getByRole('dialog', { name: 'Sign out and end the uploads?' });
  await signOut();
  await question.getByText('1 file is not sent yet').waitFor();
  expect(await tab.findProblems('sign-out-uploads')).toEqual([]);
  await question.getByRole('button', { name: 'Stay' }).click();
  await question.waitFor({ state: 'detached' });
  expect((await client.request('GET', 'session')).status).toBe(200);
  await signOut();
  await question.getByRole('button', { name: 'Sign out' }).click();
  await tab.heading('Sign in').waitFor();
  await tab.close();
});

it('signing out keeps no recording that was not sent', async () => {
  const { client, email } = await (await ConsoleAccount.open(service)).addUser();
  const tab = await browser.openAs(client, '/console/transcribe');
  const { page } = tab;
  await page.getByRole('button', { name: 'Record' }).click();
  await page.getByText('Recording, 0:01').waitFor();
  await page.getByRole('button', { name: /^Your menu/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Leave', exact: true }).click();
  await tab.heading('Sign in').waitFor();
  await tab.signIn(email, PASSWORD);
  await tab.untilSignedIn();
  await page.getByRole('navigation').getByRole('link', { name: 'Transcribe' }).click();
  await page.getByText('Nothing has been sent').waitFor();
  expect(await page.getByRole('button', { name: /^Resume/ }).count()).toBe(0);
  await tab.close();
});
