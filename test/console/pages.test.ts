import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PASSWORD } from '../e2e/support/console-users.js';
import { ConsoleAccount } from './support/account.js';
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

describe.each(VIEWS)('at $name', (view) => {
  it('every page works, has no accessibility finding and fits', async () => {
    const account = await ConsoleAccount.open(service);
    const { email, client } = await account.addUser();
    const viewer = await account.addUser(
      'viewer',
      `a.rather.long.address.${view.name}@subdomain.example.org`,
    );
    const { body } = await client.request<{ members: { user_id: string; email: string }[] }>(
      'GET',
      'members',
    );
    const viewerId = body.members.find((member) => member.email === viewer.email)?.user_id;
    expect((await client.request('PUT', `members/${viewerId}/role`, { role: 'member' })).status).toBe(204);
    const tab = await browser.open(view);
    const { page } = tab;
    const expectSound = async (name: string, shown = tab) =>
      expect(await shown.findProblems(`${name}-${view.name}`), name).toEqual([]);

    await page.goto('/console/members');
    await tab.heading('Sign in').waitFor();
    await expectSound('sign-in');
    await tab.signIn(email, 'not the password');
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('alert').textContent()).toBe('The mail address or the password is wrong.');
    await expectSound('sign-in-wrong');
    await tab.signIn(email, PASSWORD);

    await tab.heading('Members').waitFor();
    await page.getByText('No invitation is open.').waitFor();
    await expectSound('members');
    await page.getByRole('button', { name: 'Invite', exact: true }).click();
    await page.getByRole('dialog').waitFor();
    await expectSound('invite');
    await page.getByLabel('Mail address').fill(`new-${view.name}@example.org`);
    await page.getByRole('button', { name: 'Create invitation' }).click();
    const link = await page.getByLabel('Invitation link').innerText();
    await expectSound('invite-link');
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Close without copying' }).click();
    await page.getByRole('cell', { name: `new-${view.name}@example.org`, exact: true }).waitFor();
    await expectSound('members-invitations');
    await page.getByRole('button', { name: /^Your menu/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).waitFor();
    await expectSound('menu');
    await page.keyboard.press('Escape');

    await page.getByRole('link', { name: 'Audit log' }).click();
    await tab.heading('Audit log').waitFor();
    await page.getByTitle('invitation.created').first().waitFor();
    const invited = page.getByRole('row', { name: /Person invited/ });
    await invited.getByText(`new-${view.name}@example.org`).waitFor();
    await invited.getByText('Role: Member').waitFor();
    await page
      .getByRole('row', { name: /Role changed/ })
      .getByText(viewer.email)
      .first()
      .waitFor();
    await page.getByText('Viewer → Member').waitFor();
    await expectSound('audit');
    await page.getByLabel('Who').selectOption('All keys');
    await page.getByText('No event matches these filters.').waitFor();
    await page.getByLabel('Who').selectOption(email);
    await invited.waitFor();
    await expect.poll(() => page.url()).toContain('who=');
    await page.getByLabel('Id of the target').fill(crypto.randomUUID());
    await page.getByText('No event matches these filters.').waitFor();
    const { body: log } = await client.request<{ events: { target: string }[] }>(
      'GET',
      'audit?action=invitation.created',
    );
    await page.getByLabel('Id of the target').fill(` ${log.events[0]?.target} `);
    await expect.poll(() => page.getByRole('row').count()).toBe(2);
    await invited.waitFor();
    await expectSound('audit-target');
    await page.getByLabel('Action').selectOption('webhooks.');
    await page.getByText('No event matches these filters.').waitFor();
    await expectSound('audit-empty');

    await page.getByRole('button', { name: /^Your menu/ }).click();
    await page.getByRole('menuitem', { name: 'Profile' }).click();
    await tab.heading('Profile').waitFor();
    await page.getByText('This browser').waitFor();
    await expectSound('profile');
    await page.getByRole('button', { name: 'Set up' }).click();
    await page.getByRole('dialog').getByLabel('Current password', { exact: true }).fill(PASSWORD);
    await expectSound('second-factor-confirm');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor();
    await expectSound('second-factor-scan');
    await page.getByRole('button', { name: 'Cancel' }).click();

    await page.goto('/console/no-such-page');
    await tab.heading('No such page').waitFor();
    await expectSound('unknown');

    const guest = await browser.open(view);
    await guest.page.goto(link);
    await guest.page.getByLabel('Your name').waitFor();
    expect(guest.page.url()).toBe(`${service.baseUrl}/console/invitation`);
    await expectSound('invitation', guest);
    await guest.page.getByLabel('Your name').fill('<script>alert(1)</script>');
    await guest.page.getByLabel('New password', { exact: true }).fill(PASSWORD);
    await guest.page.getByRole('button', { name: 'Join', exact: true }).click();
    await guest.heading('Welcome').waitFor();
    await guest.page.getByText('<script>alert(1)</script>').first().waitFor();
    await expectSound('member', guest);
    expect(await guest.page.getByRole('link', { name: 'Audit log' }).count()).toBe(0);
    await guest.close();
    await tab.close();
  });
});
