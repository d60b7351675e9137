import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConsoleAccount, type ConsoleUser } from './support/account.js';
import { Browser, VIEWS } from './support/browser.js';
import { getSharedService } from './support/shared-service.js';

const SCRIPT = '<script>alert(1)</script><img src=x onerror=alert(2)>';

const service = getSharedService();
let browser: Browser;

beforeAll(async () => {
  browser = await Browser.launch(service.baseUrl);
});

afterAll(async () => {
  await browser?.close();
});

describe.each(VIEWS)('keys at $name', (view) => {
  it('are created, used, revoked and asked higher limits for, with no accessibility finding', async () => {
    const { client } = await (await ConsoleAccount.open(service, 100)).addUser();
    const tab = await browser.openAs(client, '/console/keys', view);
    const { page } = tab;
    const dialog = page.getByRole('dialog');
    const expectSound = async (name: string) =>
      expect(await tab.findProblems(`keys-${name}-${view.name}`), name).toEqual([]);

    await tab.heading('Keys').waitFor();
    await page.getByText('Nothing has been asked for.').waitFor();
    await page.getByRole('button', { name: 'Create key' }).click();
    await dialog.getByLabel('Name').fill(SCRIPT);
    await dialog.getByLabel('Expiry').selectOption('90');
    await expectSound('create');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    const apiKey = await dialog.getByLabel('API key').innerText();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Go back' }).click();
    await expectSound('created');
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Close without copying' }).click();
    await page.getByText(SCRIPT).first().waitFor();
    await page.getByRole('button', { name: 'Create key' }).click();
    await dialog.getByLabel('Name').fill('without end');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Close without copying' }).click();
    await page
      .getByRole('row', { name: /without end/ })
      .getByText('Never')
      .first()
      .waitFor();
    expect(await page.content()).not.toContain(apiKey);

    const caller = await service.client(apiKey);
    await caller.create({ file_size: 1 });
    await page.getByRole('button', { name: `Ask for a higher limit for ${SCRIPT}` }).click();
    await dialog.getByLabel('Limit', { exact: true }).selectOption('upload');
    await dialog.getByLabel('Requests per minute').fill('500');
    await dialog.getByLabel('Reason').fill('A long archive');
    await expectSound('ask');
    await dialog.getByRole('button', { name: 'Send request' }).click();
    await page.getByRole('cell', { name: 'Waiting' }).waitFor();
    const [request] = await service.adminJson<{ id: string }[]>('limits', 'list', '--pending', '--json');
    await service.adminJson(
      'limits',
      'grant',
      request?.id ?? '',
      '--per-minute',
      '400',
      '--answer',
      SCRIPT,
      '--json',
    );
    await page.reload();
    await page.getByRole('cell', { name: 'Granted' }).waitFor();
    await page.getByText('upload: 400/min').first().waitFor();
    await expectSound('list');

    await page.goto('/console/audit?action=key.');
    const created = page.getByRole('row', { name: /Key created/ });
    await created.filter({ hasText: SCRIPT }).getByText('Expires: ').waitFor();
    expect(await created.filter({ hasText: 'without end' }).textContent()).not.toMatch(/null|Expires/);
    await page.goto('/console/keys');
    await page.getByRole('button', { name: `Revoke ${SCRIPT}` }).click();
    await dialog.getByText('One job that it created is in process.').waitFor();
    await dialog.getByText('Last use:').waitFor();
    await expectSound('revoke');
    await dialog.getByRole('button', { name: 'Revoke' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await page.getByRole('button', { name: `Revoke ${SCRIPT}` }).count()).toBe(0);
    expect((await caller.send('GET', '/api/v1/jobs')).status).toBe(401);
    await page.getByRole('button', { name: 'Show 1 revoked' }).click();
    await page.getByText(/^Revoked/).waitFor();
    await expectSound('revoked');
    await tab.close();
  });
});

describe('keys', () => {
  it('members revoke their own keys only, and viewers none', async () => {
    const account = await ConsoleAccount.open(service, 100);
    await account.addUser();
    const member = await account.addUser('member');
    const viewer = await account.addUser('viewer');
    await member.client.request('POST', 'keys', { name: 'of the member' });
    const open = async ({ client }: ConsoleUser) => {
      const tab = await browser.openAs(client, '/console/keys');
      await tab.page.getByText('of the member').waitFor();
      return tab;
    };
    const ofMember = await open(member);
    expect(await ofMember.page.getByRole('button', { name: /^Revoke/ }).count()).toBe(1);
    expect(await ofMember.page.getByRole('button', { name: /^Ask for a higher limit/ }).count()).toBe(0);
    await ofMember.close();
    const ofViewer = await open(viewer);
    for (const name of ['Create key', 'Revoke', 'Ask for a higher limit'])
      expect(await ofViewer.page.getByRole('button', { name }).count(), name).toBe(0);
    await ofViewer.close();
  });

  it('a user whose role was changed meanwhile sees what the new role allows after the first refusal', async () => {
    const account = await ConsoleAccount.open(service);
    await account.addUser();
    const { client, email } = await account.addUser('member');
    const tab = await browser.openAs(client, '/console/keys');
    const { page } = tab;
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('too late');
    await service.query(
      `UPDATE membership SET role = 'viewer' WHERE user_id = (SELECT id FROM app_user WHERE email = $1)`,
      [email],
    );
    await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
    const create = page.getByRole('button', { name: 'Create key', includeHidden: true });
    // That of the dialog, which says why, until it is closed.
    await expect.poll(() => create.count()).toBe(1);
    await page.getByRole('dialog').getByRole('alert').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await expect.poll(() => create.count()).toBe(0);
    await tab.heading('Keys').waitFor();
    await tab.close();
  });
});
