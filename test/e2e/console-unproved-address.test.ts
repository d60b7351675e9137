import { beforeAll, describe, expect, it } from 'vitest';
import { SoftwareAuthenticator } from '../support/software-authenticator.js';
import { ConsoleClient } from './support/console-client.js';
import { ConsoleUsers, PASSWORD } from './support/console-users.js';
import type { RunningService } from './support/running-service.js';
import { PUBLIC_ORIGIN as ORIGIN, useSharedService } from './support/shared-service.js';
import { enableSecondFactor } from './support/totp.js';

type Options = Parameters<SoftwareAuthenticator['create']>[0];

const OWN_PASSWORD = 'copper meadow 77';

let service: RunningService;
/** Of the account that the attacker wants to read. */
let victims: ConsoleUsers;
let host: ConsoleClient;
let attacker: ConsoleClient;

beforeAll(async () => {
  service = await useSharedService('publicUrl');
  victims = new ConsoleUsers(service, (await service.openAccount(0)).account_id, ORIGIN);
  host = await victims.createWithPassword('host@unproved.example.org');
  const attackers = new ConsoleUsers(service, (await service.openAccount(0)).account_id, ORIGIN);
  attacker = await attackers.createWithPassword('attacker@unproved.example.org');
});

const openBrowser = () => new ConsoleClient(service, ORIGIN);
const tokenOf = (link: unknown) => String(link).split('#')[1];

async function invite(inviter: ConsoleClient, email: string) {
  const { body } = await inviter.request('POST', 'invitations', { email, role: 'admin' });
  return tokenOf(body.link);
}

/** @returns the browser of the attacker, signed in as a user of the address of somebody else */
async function acceptForSomebodyElse(email: string): Promise<ConsoleClient> {
  const browser = openBrowser();
  const accept = { token: await invite(attacker, email), name: 'Victim', password: PASSWORD };
  expect((await browser.request('POST', 'invitation/accept', accept)).status).toBe(200);
  return browser;
}

async function addPasskey(browser: ConsoleClient): Promise<SoftwareAuthenticator> {
  const authenticator = new SoftwareAuthenticator(ORIGIN);
  const confirm = { current_password: PASSWORD };
  const { body } = await browser.request<Options>('POST', 'profile/passkeys/options', confirm);
  const credential = authenticator.create(body);
  const added = await browser.request('POST', 'profile/passkeys', { credential, name: 'Phone' });
  expect(added.status).toBe(200);
  return authenticator;
}

async function signInByPasskey(authenticator: SoftwareAuthenticator): Promise<number> {
  const browser = openBrowser();
  const { body } = await browser.request<{ challenge: string }>('POST', 'sign-in/passkey/options');
  const credential = authenticator.get(body);
  return (await browser.request('POST', 'sign-in/passkey', { credential })).status;
}

const signIn = async (email: string, password: string) =>
  (await openBrowser().request('POST', 'sign-in', { email, password })).status;

async function createLink(email: string, ...options: string[]) {
  const { link } = await service.adminJson<{ link: string }>('users', 'link', email, ...options, '--json');
  return tokenOf(link);
}

async function readUser(email: string) {
  const users = await service.adminJson<Record<string, unknown>[]>('users', 'list', '--json');
  return users.find((user) => user['email'] === email);
}

describe('a user whose mail address nobody has proved', () => {
  it('gets a role of another account by no command until the person has opened a link', async () => {
    const email = 'role@unproved.example.org';
    const browser = await acceptForSomebodyElse(email);
    const role = ['users', 'role', email, '--account', victims.accountId, '--role', 'admin'];
    const refused = await service.admin(...role);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining(`users link ${email}`) });
    const switched = await browser.request('PUT', 'session/account', { account_id: victims.accountId });
    expect(switched.status).toBe(404);
    expect(await readUser(email)).toMatchObject({ address_proved: false });

    const person = openBrowser();
    const token = await createLink(email);
    expect((await person.request('POST', 'sign-in/link', { token })).body).toEqual({ state: 'signed_in' });
    expect(await readUser(email)).toMatchObject({ address_proved: true });
    expect(await service.admin(...role)).toMatchObject({ code: 0 });
    expect((await browser.request('GET', 'session')).status).toBe(401);
    expect(await signIn(email, PASSWORD)).toBe(401);
    expect((await person.request('GET', 'session')).body).toMatchObject({ user: { has_password: false } });
  });

  it('accepts no invitation to another account until the person has opened a link', async () => {
    const email = 'invited@unproved.example.org';
    const browser = await acceptForSomebodyElse(email);
    const token = await invite(host, email);
    expect(await browser.request('POST', 'invitation/accept', { token })).toMatchObject({
      status: 403,
      body: { code: 'permission_denied', detail: expect.stringContaining('link') },
    });
    const person = openBrowser();
    await person.request('POST', 'sign-in/link', { token: await createLink(email) });
    expect((await person.request('POST', 'invitation/accept', { token })).status).toBe(200);
  });

  it.each(['passkey', 'app'] as const)(
    'keeps no %s of whoever made it when the person sets a password by a link',
    async (factor) => {
      const email = `${factor}@unproved.example.org`;
      const browser = await acceptForSomebodyElse(email);
      const authenticator = factor === 'passkey' ? await addPasskey(browser) : null;
      if (!authenticator) await enableSecondFactor(browser);
      const otherLink = await createLink(email);

      const setPassword = { token: await createLink(email, '--set-password'), password: OWN_PASSWORD };
      const person = openBrowser();
      expect((await person.request('POST', 'sign-in/set-password', setPassword)).status).toBe(204);
      const own = { email, password: OWN_PASSWORD };
      expect((await person.request('POST', 'sign-in', own)).body).toEqual({ state: 'signed_in' });
      const accept = { token: await invite(host, email) };
      expect((await person.request('POST', 'invitation/accept', accept)).status).toBe(200);

      if (authenticator) expect(await signInByPasskey(authenticator)).toBe(401);
      expect(await signIn(email, PASSWORD)).toBe(401);
      expect((await browser.request('GET', 'session')).status).toBe(401);
      expect((await openBrowser().request('POST', 'sign-in/link', { token: otherLink })).status).toBe(401);
      expect((await person.request('GET', 'session')).body).toMatchObject({
        user: { second_factor: false, recovery_codes: 0, passkeys: 0 },
      });
      const events = await person.request<{ events: { action: string }[] }>('GET', 'profile/events');
      expect(events.body.events.map(({ action }) => action)).toContain('user.sign_in_reset');
    },
  );

  it('keeps the role in the account that invited it', async () => {
    const email = 'colleague@unproved.example.org';
    const browser = openBrowser();
    const accept = { token: await invite(host, email), name: 'Colleague', password: PASSWORD };
    expect((await browser.request('POST', 'invitation/accept', accept)).status).toBe(200);
    await openBrowser().request('POST', 'sign-in/set-password', {
      token: await createLink(email, '--set-password'),
      password: OWN_PASSWORD,
    });
    const person = openBrowser();
    await person.request('POST', 'sign-in', { email, password: OWN_PASSWORD });
    expect((await person.request('GET', 'session')).body).toMatchObject({
      account: { id: victims.accountId, role: 'admin' },
    });
  });
});
