import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConsoleUsers, PASSWORD } from '../e2e/support/console-users.js';
import { CLIENT_ID, CLIENT_SECRET, TestOidcProvider } from '../e2e/support/oidc-provider.js';
import { Service } from '../e2e/support/service.js';
import { ConsoleAccount } from './support/account.js';
import { addAuthenticator } from './support/authenticator.js';
import { Browser, type Tab, VIEWS } from './support/browser.js';

const DOMAIN = 'example.org';

let service: Service;
let provider: TestOidcProvider;
let origin: string;
let browser: Browser;
let account: ConsoleAccount;

beforeAll(async () => {
  service = await Service.start(async (port) => {
    // Browsers permit passkeys at `localhost`, not at 127.0.0.1.
    origin = `http://localhost:${port}`;
    provider = await TestOidcProvider.start(`${origin}/console/api/sign-in/oidc/callback`);
    return {
      PUBLIC_URL: origin,
      SIGN_IN_ATTEMPTS_PER_ADDRESS: '1000',
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: CLIENT_ID,
      OIDC_CLIENT_SECRET: CLIENT_SECRET,
      OIDC_ALLOWED_DOMAINS: DOMAIN,
      // Nothing listens there: a link is not delivered, and the answer is the same.
      SMTP_URL: 'smtp://127.0.0.1:9',
    };
  });
  account = await ConsoleAccount.open(service, 0, origin);
  browser = await Browser.launch(origin);
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
  await provider?.stop();
});

/** The person at the browser, as the provider knows them. */
function choosePerson(subject: string, email: string): void {
  provider.people.set(subject, { email, email_verified: true, name: 'Given Name' });
  provider.subject = subject;
}

async function signOut({ page }: Tab): Promise<void> {
  await page.getByRole('button', { name: /^Your menu/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
}

describe.each(VIEWS)('at $name', (view) => {
  it('a passkey is added, signs in, is renamed and removed', async () => {
    const email = `passkey-${view.name}@${DOMAIN}`;
    await account.addUser('owner', email);
    const tab = await browser.open(view);
    const { page } = tab;
    const expectSound = async (name: string) =>
      expect(await tab.findProblems(`${name}-${view.name}`), name).toEqual([]);
    await page.goto('/console/profile');
    await page.getByRole('button', { name: 'Sign in with a passkey' }).waitFor();
    await addAuthenticator(tab);
    await expectSound('sign-in-methods');
    await tab.signIn(email, PASSWORD);
    await tab.heading('Profile').waitFor();
    await page.getByText('You have no passkey.').waitFor();
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('<b>Laptop</b>');
    await dialog.getByLabel('Current password', { exact: true }).fill('not the password');
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await dialog.getByText('The password is wrong. Try again.').waitFor();
    await expectSound('passkey-add');
    await dialog.getByLabel('Current password', { exact: true }).fill(PASSWORD);
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('cell', { name: '<b>Laptop</b>', exact: true }).waitFor();
    await expectSound('profile-passkey');

    await signOut(tab);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await tab.untilSignedIn();
    await page.goto('/console/profile');
    await page.getByRole('button', { name: 'Rename <b>Laptop</b>' }).click();
    await dialog.getByLabel('Name').fill('Office');
    await expectSound('passkey-rename');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('cell', { name: 'Office', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Remove Office' }).click();
    await dialog.getByLabel('Current password', { exact: true }).fill(PASSWORD);
    await expectSound('passkey-remove');
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await page.getByText('You have no passkey.').waitFor();
    await tab.untilFocused(page.getByText('You have no passkey.').locator('..'));
    await page.getByRole('status').getByText('Office was removed.').waitFor({ state: 'attached' });
    await tab.close();
  });

  it('a forgotten password is answered the same for every address', async () => {
    await account.addUser('owner', `forgot-${view.name}@${DOMAIN}`);
    const tab = await browser.open(view);
    const { page } = tab;
    for (const mailbox of ['forgot', 'unknown']) {
      const email = `${mailbox}-${view.name}@${DOMAIN}`;
      await page.goto('/console/sign-in');
      await page.getByRole('link', { name: 'Forgot your password?' }).click();
      await tab.heading('Forgotten password').waitFor();
      expect(await tab.findProblems(`forgot-password-${view.name}`)).toEqual([]);
      await page.getByLabel('Mail address').fill(email);
      await page.getByRole('button', { name: 'Send the link' }).click();
      await page
        .getByText(`If a user has the address ${email}, a link to set a new password is on its way.`)
        .waitFor();
    }
    expect(await tab.findProblems(`forgot-password-sent-${view.name}`)).toEqual([]);
    await page.getByRole('link', { name: 'Back to sign-in' }).click();
    await tab.heading('Sign in').waitFor();
    await tab.close();
  });

  it('an invitation can be accepted by an existing user, and through the provider', async () => {
    const { client: owner } = await account.addUser();
    const invite = async (mailbox: string) => {
      const email = `${mailbox}-${view.name}@${DOMAIN}`;
      const { body } = await owner.request('POST', 'invitations', { email, role: 'member' });
      return { email, link: String(body.link) };
    };
    const listMembers = async () => JSON.stringify((await owner.request('GET', 'members')).body);
    const other = await ConsoleAccount.open(service, 0, origin);
    await other.addUser('owner', `present-${view.name}@${DOMAIN}`);
    const present = await invite('present');
    const tab = await browser.open(view);
    await tab.page.goto(present.link);
    await tab.page.getByRole('button', { name: 'Join through your organisation' }).waitFor();
    expect(await tab.findProblems(`invitation-methods-${view.name}`)).toEqual([]);
    await tab.page.getByRole('button', { name: 'I already sign in here' }).click();
    await tab.signIn(present.email, PASSWORD);
    await tab.page.getByRole('button', { name: 'Join the account' }).click();
    await tab.untilSignedIn();
    expect(await listMembers()).toContain(present.email);
    await tab.close();

    const fresh = await invite('fresh');
    choosePerson(`fresh-${view.name}`, fresh.email);
    const second = await browser.open(view);
    await second.page.goto(fresh.link);
    await second.page.getByRole('button', { name: 'Join through your organisation' }).click();
    await second.untilSignedIn();
    expect(await listMembers()).toContain(fresh.email);
    const stored = await second.page.evaluate<Record<string, string>>('({ ...sessionStorage })');
    // The router stores scroll positions.
    expect(Object.keys(stored).filter((key) => !key.startsWith('tsr-scroll-restoration'))).toEqual([]);
    expect(JSON.stringify(stored)).not.toContain(new URL(fresh.link).hash.slice(1));
    await second.close();
  });
});

it.each(['its session has ended', 'signing out'])(
  'a page that has not asked for the ways to sign in shows all of them after %s',
  async (end) => {
    const { client } = await account.addUser();
    const tab = await browser.openAs(client, '/console/jobs');
    const { page } = tab;
    await tab.heading('Jobs').waitFor();
    if (end === 'signing out') await signOut(tab);
    else {
      await client.request('POST', 'sign-out');
      await page.getByRole('link', { name: 'Keys' }).click();
    }
    await tab.heading('Sign in').waitFor();
    await page.getByRole('button', { name: 'Sign in with a passkey' }).waitFor();
    await page.getByRole('button', { name: 'Sign in through your organisation' }).waitFor();
    await page.getByRole('link', { name: 'Forgot your password?' }).waitFor();
    expect(await tab.findProblems('sign-in-after-session')).toEqual([]);
    await tab.close();
  },
);

describe('signing in through the provider', () => {
  it('leads to the page that was asked for', async () => {
    const email = `provided@${DOMAIN}`;
    await new ConsoleUsers(service, account.id, origin).create(email);
    choosePerson('provided', email);
    const tab = await browser.open();
    await tab.page.goto('/console/profile');
    await tab.page.getByRole('button', { name: 'Sign in through your organisation' }).click();
    await tab.heading('Profile').waitFor();
    await tab.page.getByText('You have no password.').waitFor();
    expect(await tab.findProblems('profile-without-password')).toEqual([]);
    await tab.close();
  });

  it.each([
    ['an address without a user', `nobody@${DOMAIN}`, 'There is no user with your mail address.'],
    [
      'an address of another domain',
      'nobody@evil.example',
      'did not confirm a mail address that may sign in',
    ],
  ])('says why %s is not signed in', async (name, email, reason) => {
    choosePerson(name, email);
    const tab = await browser.open();
    await tab.page.goto('/console/sign-in');
    await tab.page.getByRole('button', { name: 'Sign in through your organisation' }).click();
    await tab.page.getByText(reason).waitFor();
    expect(await tab.findProblems('provider-rejected')).toEqual([]);
    await tab.close();
  });

  it('shows nothing of an error that it does not know', async () => {
    const tab = await browser.open();
    await tab.page.goto('/console/sign-in?error=%3Cscript%3Ealert(1)%3C%2Fscript%3E');
    await tab.heading('Sign in').waitFor();
    expect(await tab.page.getByRole('alert').count()).toBe(0);
    await tab.close();
  });
});

describe('a passkey', () => {
  it('that is not confirmed signs nobody in, and says so', async () => {
    const tab = await browser.open();
    const { cdp, authenticatorId } = await addAuthenticator(tab);
    await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false });
    await tab.page.goto('/console/sign-in');
    await tab.page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await tab.page.getByText('No passkey was used.').waitFor();
    expect(await tab.findProblems('passkey-cancelled')).toEqual([]);
    await tab.close();
  });
});
