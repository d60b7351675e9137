import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PASSWORD } from '../e2e/support/console-users.js';
import { ConsoleAccount, type ConsoleUser } from './support/account.js';
import { Browser } from './support/browser.js';
import { insertEndedJobs } from './support/ended-jobs.js';
import { getSharedService } from './support/shared-service.js';

const service = getSharedService();
let browser: Browser;
let account: ConsoleAccount;
let olivia: ConsoleUser;

beforeAll(async () => {
  account = await ConsoleAccount.open(service);
  olivia = await account.addUser('owner', 'olivia@example.org');
  browser = await Browser.launch(service.baseUrl);
});

afterAll(async () => {
  await browser?.close();
});

describe('signing in', () => {
  it('by keyboard alone leads to the members, and to the dialog and back', async () => {
    const tab = await browser.open();
    const { page } = tab;
    await page.goto('/console/members');
    await tab.heading('Sign in').waitFor();
    await page.keyboard.type('olivia@example.org');
    await page.keyboard.press('Tab');
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press('Enter');
    await tab.heading('Members').waitFor();
    const invite = page.getByRole('button', { name: 'Invite', exact: true });
    await invite.waitFor();
    for (let presses = 0; presses < 20; presses += 1) {
      if (await invite.evaluate((element) => element === element.ownerDocument.activeElement)) break;
      await page.keyboard.press('Tab');
    }
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await invite.evaluate((element) => element === element.ownerDocument.activeElement)).toBe(true);
    await tab.close();
  });

  it('a link works once; its token leaves the address bar at once', async () => {
    const { email } = await account.addUser('member');
    const link = (await service.admin('users', 'link', email)).stdout.trim();
    const tab = await browser.open();
    await tab.page.goto(link);
    await tab.heading('Sign in by link').waitFor();
    expect(tab.page.url()).toBe(`${service.baseUrl}/console/sign-in`);
    await tab.page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await tab.heading('Welcome').waitFor();
    await tab.close();
    const second = await browser.open();
    await second.page.goto(link);
    await second.page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await second.page.getByText('This link does not work').waitFor();
    expect(await second.findProblems('link-used')).toEqual([]);
    await second.close();
  });

  it('too many attempts are answered with when to try again', async () => {
    const { email } = await account.addUser();
    const tab = await browser.open();
    await tab.page.goto('/console/sign-in');
    for (let attempt = 0; attempt < 11; attempt += 1) {
      const answered = tab.page.waitForResponse(/\/console\/api\/sign-in$/);
      await tab.signIn(email, 'wrong');
      await answered;
    }
    await tab.page.getByText('Too many attempts').waitFor();
    expect(await tab.page.getByRole('alert').textContent()).toMatch(/Try again in \d+ s\./);
    await tab.close();
  });

  it('leads to no other site', async () => {
    const tab = await browser.open();
    await tab.page.goto('/console/sign-in?return=%2F%2Fevil.example%2F');
    await tab.signIn('olivia@example.org', PASSWORD);
    await tab.heading('Welcome').waitFor();
    expect(new URL(tab.page.url()).origin).toBe(service.baseUrl);
    await tab.close();
  });
});

describe('a signed-in user', () => {
  it('whose session ends signs in again and is where they were', async () => {
    const tab = await browser.openAs(olivia.client, '/console/profile');
    await tab.heading('Profile').waitFor();
    await tab.page.getByText('This browser').waitFor();
    await tab.context.clearCookies();
    await tab.page.getByRole('link', { name: 'Audit log' }).click();
    await tab.page.getByText('Your session has ended').waitFor();
    await tab.signIn('olivia@example.org', PASSWORD);
    await tab.heading('Audit log').waitFor();
    expect(await tab.findProblems('session-ended')).toEqual([]);
    await tab.close();
  });

  it.each(['//evil.example', '/..//evil.example', '/%2e%2e//evil.example'])(
    'who signs in from a link with the return address %s stays in the console',
    async (path) => {
      const tab = await browser.open();
      await tab.page.goto(`/console/sign-in?return=${encodeURIComponent(path)}`);
      await tab.signIn('olivia@example.org', PASSWORD);
      await tab.heading('Welcome').waitFor();
      expect(tab.page.url()).toBe(`${service.baseUrl}/console/`);
      await tab.close();
    },
  );

  it('without the permission reads why', async () => {
    const { client } = await account.addUser('viewer');
    const tab = await browser.openAs(client, '/console/audit');
    await tab.page.getByText('Not allowed').waitFor();
    await tab.page.getByText('Only owners and admins of the account may do this. Ask one of them.').waitFor();
    // The same request would get the same answer, and there is nothing to filter.
    expect(await tab.page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
    expect(await tab.page.getByLabel('Action').isVisible()).toBe(false);
    expect(await tab.findProblems('forbidden')).toEqual([]);
    await tab.close();
  });

  it('who invites somebody by mail reads that it was sent, and gets no empty link', async () => {
    const tab = await browser.open();
    const { page } = tab;
    await page.goto('/console/members');
    await tab.signIn('olivia@example.org', PASSWORD);
    await tab.heading('Members').waitFor();
    await page.route('**/console/api/invitations', (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({ json: { id: '0193a5c0-0000-7000-8000-000000000000', link: null, mail: 'sent' } })
        : route.continue(),
    );
    await page.getByRole('button', { name: 'Invite', exact: true }).click();
    await page.getByRole('dialog').getByLabel('Mail address').fill('mailed@example.org');
    await page.getByRole('button', { name: 'Create invitation' }).click();
    await page.getByText('A mail with the link was sent to mailed@example.org.').waitFor();
    expect(await page.getByLabel('Invitation link').count()).toBe(0);
    await tab.close();
  });

  it('sees skeletons of slow data, a failure with 503 and a lost connection, and can try again', async () => {
    const tab = await browser.openAs(olivia.client, '/console/profile');
    const { page } = tab;
    await tab.heading('Profile').waitFor();
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    const answers: ('unavailable' | 'lost' | 'at once' | 'held')[] = [];
    await page.route('**/console/api/members', async (route) => {
      const [answer] = answers;
      if (answer === 'unavailable')
        return route.fulfill({ status: 503, headers: { 'retry-after': '7' }, body: '<html>down</html>' });
      if (answer === 'lost') return route.abort('connectionrefused');
      if (answer === 'held') await held;
      return route.continue();
    });
    answers[0] = 'unavailable';
    await page.getByRole('link', { name: 'Members' }).click();
    await page.getByText('Try again in 7 seconds.').waitFor();
    expect(await tab.findProblems('unavailable')).toEqual([]);
    answers[0] = 'lost';
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('The service cannot be reached.').waitFor();
    expect(await tab.findProblems('offline')).toEqual([]);
    answers[0] = 'at once';
    await page.getByRole('button', { name: 'Try again' }).click();
    const member = page.getByRole('cell', { name: /olivia@example\.org/ }).first();
    await member.waitFor();
    answers[0] = 'held';
    await page.reload();
    await page.locator('.skeleton').first().waitFor();
    expect(await tab.findProblems('loading')).toEqual([]);
    release();
    await member.waitFor();
    await tab.close();
  });
});

it('a list whose older jobs could not be loaded does not say that it loads them', async () => {
  const busy = await ConsoleAccount.open(service);
  const { client } = await busy.addUser('viewer');
  await insertEndedJobs(service, busy.id, 300);
  const tab = await browser.openAs(client, '/console/jobs');
  const { page } = tab;
  await page.getByText('Loading older jobs').waitFor();
  await page.route(/console\/api\/jobs\?.*cursor=/, (route) => route.fulfill({ status: 500 }));
  await page.getByRole('link', { name: 'recording 1.mp3' }).press('End');
  await page.getByRole('button', { name: 'Try again' }).waitFor();
  expect(await page.getByText('Loading older jobs').count()).toBe(0);
  await tab.close();
});
