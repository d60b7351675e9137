import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PASSWORD } from '../e2e/support/console-users.js';
import { computeTotp, enableSecondFactor } from '../e2e/support/totp.js';
import { ConsoleAccount } from './support/account.js';
import { readAppSecret } from './support/authenticator.js';
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

const PAGE = 'A second factor is needed';

describe.each(VIEWS)('at $name', (view) => {
  it('an owner requires two factors after setting up one, and no longer', async () => {
    const { client } = await (await ConsoleAccount.open(service)).addUser();
    const refused = await browser.openAs(client, '/console/settings', view);
    await refused.page.getByText('To require two factors, you need them yourself').waitFor();
    expect(await refused.findProblems(`two-factors-refused-${view.name}`)).toEqual([]);
    await refused.close();
    await enableSecondFactor(client);
    const tab = await browser.openAs(client, '/console/settings', view);
    const { page } = tab;
    await page.getByRole('button', { name: 'Require two factors' }).click();
    const dialog = page.getByRole('dialog', { name: 'Require two factors?' });
    await dialog.waitFor();
    expect(await tab.findProblems(`two-factors-require-${view.name}`)).toEqual([]);
    await dialog.getByRole('button', { name: 'Require two factors' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('Members reach this account only after a sign-in with two factors.').waitFor();
    await page.getByRole('button', { name: 'Require them no longer' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Require them no longer' }).click();
    await page.getByText('Members reach this account with any sign-in').waitFor();
    expect((await client.request('GET', 'account')).body).toMatchObject({ requires_two_factors: false });
    await tab.close();
  });

  it('a member is led to set one up, and goes on at the page that was asked for', async () => {
    const account = await ConsoleAccount.open(service);
    const { email, client } = await account.addUser('member');
    const tab = await browser.openAs(client, '/console/keys', view);
    const { page } = tab;
    await tab.heading('Keys').waitFor();
    await service.query('UPDATE account SET requires_two_factors = true WHERE id = $1', [account.id]);
    // The page may have asked for something else meanwhile, and the link be gone.
    await page.evaluate(`document.querySelector('a[href$="/members"]')?.click()`);
    await tab.heading(PAGE).waitFor();
    await page.goto('/console/jobs?status=failed');
    await tab.heading(PAGE).waitFor();
    await page.getByRole('button', { name: 'Set up' }).waitFor();
    expect(await page.getByRole('link', { name: 'Jobs' }).count()).toBe(0);
    await page.getByText('the account “an organisation” requires two of its members').waitFor();
    expect(await page.getByText('You have no password').count()).toBe(0);
    expect(await tab.findProblems(`two-factors-${view.name}`)).toEqual([]);
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Set up' }).click();
    await dialog.getByLabel('Current password', { exact: true }).fill(PASSWORD);
    await dialog.getByRole('button', { name: 'Continue' }).click();
    const secret = await readAppSecret(dialog);
    await dialog.getByLabel('Code of the app').fill(computeTotp(secret, Date.now()));
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await dialog.getByRole('listitem').first().waitFor();
    const recoveryCode = (await dialog.getByRole('listitem').first().textContent()) ?? '';
    expect(await tab.findProblems(`two-factors-codes-${view.name}`)).toEqual([]);
    await dialog.getByRole('button', { name: 'I have kept them' }).click();
    await tab.heading('Jobs').waitFor();
    expect(new URL(page.url()).search).toContain('failed');

    // As after a sign-in through a provider that does not ask for it.
    await service.query(
      `UPDATE user_session SET two_factors = false FROM app_user
       WHERE app_user.id = user_session.user_id AND email = $1`,
      [email],
    );
    await page.goto('/console/keys');
    await tab.heading(PAGE).waitFor();
    await page.getByLabel('Code', { exact: true }).fill('000000');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page
      .getByText('The code is wrong or has expired. Enter the code that the app shows now.')
      .waitFor();
    expect(await tab.findProblems(`two-factors-code-${view.name}`)).toEqual([]);
    await page.getByLabel('Code', { exact: true }).fill(recoveryCode);
    await page.getByRole('button', { name: 'Continue' }).click();
    await tab.heading('Keys').waitFor();
    await tab.close();
  });

  it('a user who came by a link reads how long that is enough, and how to get another one', async () => {
    const account = await ConsoleAccount.open(service);
    const { email, client } = await account.addUser();
    await service.query('UPDATE app_user SET password_hash = NULL WHERE email = $1', [email]);
    await service.query(
      `UPDATE user_session SET created_at = now() - interval '11 minutes' FROM app_user
       WHERE app_user.id = user_session.user_id AND email = $1`,
      [email],
    );
    await service.query('UPDATE account SET requires_two_factors = true WHERE id = $1', [account.id]);
    const tab = await browser.openAs(client, '/console/', view);
    const { page } = tab;
    await page.getByText('this is possible in the ten minutes after your sign-in').waitFor();
    expect(await tab.findProblems(`two-factors-link-${view.name}`)).toEqual([]);
    await page.getByRole('button', { name: 'Set up' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await dialog.getByRole('alert').getByText(`“users link ${email}”`).waitFor();
    await dialog.getByRole('button', { name: 'Sign in again' }).waitFor();
    expect(await tab.findProblems(`two-factors-link-too-old-${view.name}`)).toEqual([]);
    await tab.close();
  });

  it('a member replaces the app, and one without a second factor leaves the account', async () => {
    const account = await ConsoleAccount.open(service);
    const { client } = await account.addUser('member');
    const { secret: old } = await enableSecondFactor(client);
    await service.query('UPDATE account SET requires_two_factors = true WHERE id = $1', [account.id]);
    const tab = await browser.openAs(client, '/console/profile', view);
    const { page } = tab;
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Replace the app' }).click();
    await dialog.getByText('keeps working until the new one has shown a code').waitFor();
    expect(await tab.findProblems(`two-factors-replace-${view.name}`)).toEqual([]);
    await dialog.getByLabel('Current password', { exact: true }).fill(PASSWORD);
    await dialog.getByRole('button', { name: 'Continue' }).click();
    const secret = await readAppSecret(dialog);
    await dialog.getByLabel('Code of the app').fill(computeTotp(old, Date.now() + 30_000));
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await dialog.getByText('The code is not the one that the app shows now.').waitFor();
    await dialog.getByLabel('Code of the app').fill(computeTotp(secret, Date.now()));
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await dialog.getByRole('button', { name: 'I have kept them' }).click();
    await page.getByText('10 unused recovery codes').waitFor();
    await page.getByText('Authenticator app replaced').waitFor();
    await tab.close();

    const { client: leaving } = await account.addUser('member');
    const blocked = await browser.openAs(leaving, '/console/', view);
    await blocked.heading(PAGE).waitFor();
    await blocked.page.getByRole('button', { name: 'Leave account' }).click();
    const question = blocked.page.getByRole('dialog', { name: 'Leave an organisation?' });
    await question.waitFor();
    expect(await blocked.findProblems(`two-factors-leave-${view.name}`)).toEqual([]);
    await question.getByRole('button', { name: 'Leave account' }).click();
    await question.waitFor({ state: 'detached' });
    expect((await leaving.request('GET', 'session')).body).toMatchObject({ account: null, accounts: [] });
    await blocked.page.getByText('You left an organisation.').waitFor();
    expect(await blocked.heading(PAGE).count()).toBe(0);
    expect(await blocked.findProblems(`two-factors-left-${view.name}`)).toEqual([]);
    await blocked.close();
  });
});

it('a service that requires two factors of everybody is named as the one that does', async () => {
  const { client } = await (await ConsoleAccount.open(service)).addUser();
  const tab = await browser.open();
  await tab.page.route('**/console/api/session', async (route) => {
    const response = await route.fetch();
    const session = (await response.json()) as { account: object };
    const account = { ...session.account, permissions: [], two_factors_required_by: 'service' };
    await route.fulfill({ response, json: { ...session, account } });
  });
  await browser.addSession(tab, client);
  await tab.page.goto('/console/');
  await tab.page.getByText('this service requires two of everybody').waitFor();
  expect(await tab.page.getByText('requires two of its members').count()).toBe(0);
  await tab.close();
});
