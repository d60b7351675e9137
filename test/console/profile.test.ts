import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PASSWORD } from '../e2e/support/console-users.js';
import { computeTotp } from '../e2e/support/totp.js';
import { ConsoleAccount } from './support/account.js';
import { readAppSecret } from './support/authenticator.js';
import { Browser, type Tab, VIEWS } from './support/browser.js';
import { getSharedService } from './support/shared-service.js';

const NEW_PASSWORD = 'amber lantern 31';

const service = getSharedService();
let browser: Browser;

beforeAll(async () => {
  browser = await Browser.launch(service.baseUrl);
});
afterAll(async () => {
  await browser?.close();
});

describe.each(VIEWS)('at $name', (view) => {
  it('a link sets a new password, which signs in', async () => {
    const { email } = await (await ConsoleAccount.open(service)).addUser();
    const { stdout } = await service.admin('users', 'link', email, '--set-password');
    const tab = await browser.open(view);
    const { page } = tab;
    await page.goto(stdout.trim());
    await tab.heading('Set a password').waitFor();
    await page.getByLabel('New password', { exact: true }).fill('Password2024!');
    await page.getByRole('button', { name: 'Set password' }).click();
    await page.getByText('The password is easily guessed').waitFor();
    expect(await tab.findProblems(`set-password-${view.name}`)).toEqual([]);
    await page.getByLabel('New password', { exact: true }).fill(NEW_PASSWORD);
    await page.getByRole('button', { name: 'Set password' }).click();
    await page.getByText('Your password is set. Sign in with it.').waitFor();
    expect(await tab.findProblems(`password-set-${view.name}`)).toEqual([]);
    await tab.signIn(email, NEW_PASSWORD);
    await tab.untilSignedIn();
    await tab.close();
  });

  it('the second factor is set up, asked for at the next sign-in, and turned off', async () => {
    const { email, client } = await (await ConsoleAccount.open(service)).addUser();
    const tab = await browser.openAs(client, '/console/profile', view);
    const { page } = tab;
    const expectSound = async (name: string) =>
      expect(await tab.findProblems(`${name}-${view.name}`), name).toEqual([]);
    const dialog = page.getByRole('dialog');
    await page.getByText('This browser').waitFor();
    await page.getByRole('button', { name: 'Set up' }).click();
    await dialog.getByLabel('Current password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Continue' }).click();
    const secret = await readAppSecret(dialog);
    await dialog.getByLabel('Code of the app').fill('000');
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await dialog.getByText('The code is not the one that the app shows now.').waitFor();
    await dialog.getByLabel('Code of the app').fill(computeTotp(secret, Date.now()));
    await dialog.getByRole('button', { name: 'Continue' }).click();
    const codes = dialog.getByRole('listitem');
    await codes.first().waitFor();
    expect(await codes.count()).toBe(10);
    const recoveryCode = (await codes.first().textContent()) ?? '';
    const downloaded = page.waitForEvent('download');
    await dialog.getByRole('button', { name: 'Download' }).click();
    expect((await downloaded).suggestedFilename()).toBe('recovery-codes.txt');
    // What is not granted is denied from then on, such as downloads.
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await dialog.getByRole('button', { name: 'Copy all codes' }).click();
    await dialog.getByRole('button', { name: 'Copied' }).waitFor();
    const copied = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(copied.split('\n')).toEqual(await codes.allTextContents());
    await expectSound('second-factor-codes');
    await dialog.getByRole('button', { name: 'I have kept them' }).click();
    await page.getByText('10 unused recovery codes').waitFor();

    await page.getByRole('button', { name: /^Your menu/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await tab.signIn(email, PASSWORD);
    await tab.heading('Second factor').waitFor();
    await page.getByLabel('Code').fill('000000');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('The code is wrong or has expired.').waitFor();
    await expectSound('second-factor-code');
    await page.getByLabel('Code').fill(recoveryCode);
    await page.getByRole('button', { name: 'Continue' }).click();
    await tab.untilSignedIn();

    await page.goto('/console/profile');
    await page.getByText('9 unused recovery codes').waitFor();
    await page.getByRole('button', { name: 'Turn off' }).click();
    await dialog.getByLabel('Current password', { exact: true }).fill(PASSWORD);
    await expectSound('second-factor-off');
    await dialog.getByRole('button', { name: 'Turn off' }).click();
    await page.getByRole('button', { name: 'Set up' }).waitFor();
    await tab.close();
  });

  it('the name is changed, and the menu shows it', async () => {
    const { client } = await (await ConsoleAccount.open(service)).addUser();
    const tab = await browser.openAs(client, '/console/profile', view);
    const { page } = tab;
    await page.getByLabel('Name', { exact: true }).fill('<b>Ada</b>');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Your name was changed.').waitFor();
    await page.getByRole('button', { name: 'Your menu: <b>Ada</b>' }).waitFor();
    await page.getByRole('table', { name: 'Sign-ins and changes' }).getByText('Name changed').waitFor();
    expect(await tab.findProblems(`profile-name-${view.name}`)).toEqual([]);
    await tab.close();
  });

  it('other browsers are listed and signed out, one or all', async () => {
    const { email } = await (await ConsoleAccount.open(service)).addUser();
    const tab = await browser.open(view);
    const { page } = tab;
    const dialog = page.getByRole('dialog');
    const other = await browser.open(view);
    await openProfile(other, email);
    await openProfile(tab, email);
    const end = page.getByRole('button', { name: 'Sign out Chrome, Linux' });
    await end.first().waitFor();
    expect(await tab.findProblems(`sessions-${view.name}`)).toEqual([]);
    await end.first().click();
    await dialog.getByLabel('Current password', { exact: true }).fill(PASSWORD);
    await dialog.getByRole('button', { name: 'Sign out' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Sign out all others' }).click();
    await dialog.getByLabel('Current password', { exact: true }).fill(PASSWORD);
    expect(await tab.findProblems(`sessions-end-${view.name}`)).toEqual([]);
    await dialog.getByRole('button', { name: 'Sign out all others' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Sign out all others' }).waitFor({ state: 'detached' });
    const events = page.getByRole('table', { name: 'Sign-ins and changes' });
    await events.getByText('Other browsers signed out').waitFor();
    await events.getByText('Signed in', { exact: true }).first().waitFor();
    await other.page.getByRole('link', { name: 'Members' }).click();
    await other.page.getByText('Your session has ended').waitFor();
    await other.close();
    await tab.close();
  });

  it('a member of two accounts switches between them, and leaves one', async () => {
    const account = await ConsoleAccount.open(service);
    const user = await account.addUser();
    const other = await account.addUser();
    await (await ConsoleAccount.open(service)).addMember(user, 'member');
    const tab = await browser.openAs(user.client, '/console/members', view);
    const { page } = tab;
    const colleague = page.getByText(other.email).first();
    await tab.heading('Members').waitFor();
    await colleague.waitFor();
    await page.getByRole('button', { name: /^Account/ }).click();
    await page.getByRole('menuitemradio').nth(1).waitFor();
    expect(await tab.findProblems(`accounts-${view.name}`)).toEqual([]);
    let switches = 0;
    page.on('request', (request) => {
      if (request.url().endsWith('/session/account')) switches += 1;
    });
    await page.getByRole('menuitemradio', { checked: true }).click();
    await page.getByRole('menuitemradio').first().waitFor({ state: 'detached' });
    await page.getByRole('button', { name: /^Account/ }).click();
    await page.getByRole('menuitemradio').nth(1).waitFor();
    expect(switches).toBe(0);
    await tab.heading('Members').waitFor();
    await page.getByRole('menuitemradio', { checked: false }).click();
    await colleague.waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Members' }).click();
    await page.getByRole('button', { name: 'Leave account' }).click();
    await page.getByRole('dialog').waitFor();
    expect(await tab.findProblems(`leave-${view.name}`)).toEqual([]);
    await page.getByRole('dialog').getByRole('button', { name: 'Leave account' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Members' }).click();
    await colleague.waitFor();
    await page.getByRole('button', { name: /^Account/ }).click();
    await page.getByRole('menuitemradio').first().waitFor();
    expect(await page.getByRole('menuitemradio').count()).toBe(1);
    await tab.close();
  });
});

it('an old tab changes nothing in the account to which another tab has switched, and says so', async () => {
  const user = await (await ConsoleAccount.open(service)).addUser();
  const second = await service.openAccount(0);
  await ConsoleAccount.of(service, second.account_id).addMember(user, 'owner');
  const tab = await browser.openAs(user.client, '/console/keys');
  const { page } = tab;
  await page.getByRole('button', { name: 'Create key' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('of the old tab');
  const switched = await page.evaluate<number>(
    `fetch('api/session/account', { method: 'PUT', headers: { 'x-console': '1', 'content-type': 'application/json' },
       body: '${JSON.stringify({ account_id: second.account_id })}' }).then(({ status }) => status)`,
  );
  expect(switched).toBe(204);
  await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
  await tab.heading('This tab shows another account').waitFor();
  expect(await tab.findProblems('other-account')).toEqual([]);
  await page.getByRole('button', { name: 'Load again' }).click();
  await page.getByRole('link', { name: 'Keys' }).click();
  await page.getByText('first key').first().waitFor();
  expect(await page.getByText('of the old tab').count()).toBe(0);
  await tab.close();
});

async function openProfile(tab: Tab, email: string): Promise<void> {
  await tab.page.goto('/console/profile');
  await tab.signIn(email, PASSWORD);
  await tab.heading('Profile').waitFor();
  await tab.page.getByText('This browser').waitFor();
}
