import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PASSWORD } from '../e2e/support/console-users.js';
import { Service } from '../e2e/support/service.js';
import { ConsoleAccount } from './support/account.js';
import { addAuthenticator } from './support/authenticator.js';
import { Browser, VIEWS } from './support/browser.js';

const PAGE = 'A second factor is needed';

let service: Service;
let browser: Browser;
let origin: string;

beforeAll(async () => {
  service = await Service.start(async (port) => {
    // Browsers permit passkeys at `localhost`, not at 127.0.0.1.
    origin = `http://localhost:${port}`;
    return { PUBLIC_URL: origin, SIGN_IN_ATTEMPTS_PER_ADDRESS: '1000' };
  });
  browser = await Browser.launch(origin);
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

/** An account that requires two factors, and the mail address of a member who has a password only. */
async function addMember(): Promise<string> {
  const account = await ConsoleAccount.open(service, 0, origin);
  const { email } = await account.addUser('member');
  await service.query('UPDATE account SET requires_two_factors = true WHERE id = $1', [account.id]);
  return email;
}

describe.each(VIEWS)('an account that requires two factors, at $name', (view) => {
  it('is reached after a passkey is added, and later by signing in with the passkey', async () => {
    const email = await addMember();
    const tab = await browser.open(view);
    const { page } = tab;
    const expectSound = async (name: string) =>
      expect(await tab.findProblems(`${name}-${view.name}`), name).toEqual([]);
    await page.goto('/console/jobs?status=failed');
    await addAuthenticator(tab);
    await tab.signIn(email, PASSWORD);
    await tab.heading(PAGE).waitFor();
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Laptop');
    await dialog.getByLabel('Current password', { exact: true }).fill(PASSWORD);
    await expectSound('two-factors-passkey-add');
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await tab.heading('Jobs').waitFor();
    expect(new URL(page.url()).search).toContain('failed');

    await page.getByRole('button', { name: /^Your menu/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByLabel('Mail address').waitFor();
    await page.goto('/console/keys');
    await tab.signIn(email, PASSWORD);
    await tab.heading(PAGE).waitFor();
    await expectSound('two-factors-passkey');
    expect(await page.getByRole('button', { name: 'Add a passkey' }).count(), 'without the other one').toBe(
      0,
    );
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await tab.heading('Keys').waitFor();
    await tab.close();
  });
});

describe('an account that requires two factors', () => {
  it('is not reached with a passkey that is not confirmed, and the page says so', async () => {
    const email = await addMember();
    const tab = await browser.open();
    const { page } = tab;
    await page.goto('/console/keys');
    const { cdp, authenticatorId } = await addAuthenticator(tab);
    await tab.signIn(email, PASSWORD);
    await tab.heading(PAGE).waitFor();
    await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false });
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Laptop');
    await dialog.getByLabel('Current password', { exact: true }).fill(PASSWORD);
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await dialog.getByText('No passkey was added').waitFor();
    expect(await tab.findProblems('two-factors-passkey-cancelled')).toEqual([]);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await tab.heading(PAGE).waitFor();
    await tab.close();
  });

  it('tells who has a passkey for another address that this one cannot use it', async () => {
    const email = await addMember();
    await service.query(
      `INSERT INTO passkey (id, user_id, name, public_key, counter, transports)
       SELECT 'elsewhere-' || id, id, 'Office', '\\x00', 0, '{}' FROM app_user WHERE email = $1`,
      [email],
    );
    const tab = await browser.open();
    const { page } = tab;
    await page.addInitScript(`delete globalThis.PublicKeyCredential`);
    await page.goto('/console/keys');
    await tab.signIn(email, PASSWORD);
    await tab.heading(PAGE).waitFor();
    await page.getByText('this browser cannot use it here').waitFor();
    expect(await tab.findProblems('two-factors-passkey-elsewhere')).toEqual([]);
    await tab.close();
  });
});
