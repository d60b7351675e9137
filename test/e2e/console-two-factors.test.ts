import { beforeAll, describe, expect, it } from 'vitest';
import { SoftwareAuthenticator } from '../support/software-authenticator.js';
import { ConsoleClient } from './support/console-client.js';
import { CONSOLE_ROUTES } from './support/console-routes.js';
import { ConsoleUsers, PASSWORD } from './support/console-users.js';
import type { RunningService } from './support/running-service.js';
import { PUBLIC_ORIGIN as ORIGIN, useSharedService } from './support/shared-service.js';
import { computeTotp, enableSecondFactor } from './support/totp.js';

const CONFIRM = { current_password: PASSWORD };
/** Of no authenticator, but of the right form. */
const CREDENTIAL = {
  ...{ id: 'x', rawId: 'x', type: 'public-key' },
  response: { clientDataJSON: 'x', attestationObject: 'x' },
};
const BLOCKED = { status: 403, body: { code: 'two_factors_required' } };

type Options = Parameters<SoftwareAuthenticator['create']>[0];

let service: RunningService;

beforeAll(async () => {
  service = await useSharedService('publicUrl');
});

let created = 0;

/** An account with an owner whose session has two factors. */
async function openAccount() {
  const { account_id: id, api_key: key } = await service.openAccount(0);
  const users = new ConsoleUsers(service, id, ORIGIN);
  const addUser = async (role = 'owner') => {
    created += 1;
    const email = `person-${created}@two-factors.example.org`;
    return { email, browser: await users.createWithPassword(email, role) };
  };
  const { browser: owner } = await addUser();
  await enableSecondFactor(owner);
  const require = async (required = true) =>
    expect((await owner.request('PUT', 'account/two-factors', { required })).status).toBe(204);
  return { id, key, owner, addUser, require };
}

async function signIn(email: string): Promise<ConsoleClient> {
  const browser = new ConsoleClient(service, ORIGIN);
  const { body } = await browser.request('POST', 'sign-in', { email, password: PASSWORD });
  expect(body).toEqual({ state: 'signed_in' });
  return browser;
}

async function addPasskey(browser: ConsoleClient) {
  const authenticator = new SoftwareAuthenticator(ORIGIN);
  const { body: options } = await browser.request<Options>('POST', 'profile/passkeys/options', CONFIRM);
  const credential = authenticator.create(options);
  const { status, body } = await browser.request('POST', 'profile/passkeys', { credential, name: 'Phone' });
  expect(status).toBe(200);
  return { authenticator, id: String(body.id) };
}

async function signInWithPasskey(authenticator: SoftwareAuthenticator): Promise<ConsoleClient> {
  const browser = new ConsoleClient(service, ORIGIN);
  const { body } = await browser.request<{ challenge: string }>('POST', 'sign-in/passkey/options');
  const credential = authenticator.get(body);
  expect((await browser.request('POST', 'sign-in/passkey', { credential })).status).toBe(200);
  return browser;
}

const listJobs = (browser: ConsoleClient) => browser.request('GET', 'jobs');

describe('an account that requires two factors', () => {
  let account: Awaited<ReturnType<typeof openAccount>>;
  const sessions = new Map<string, ConsoleClient>();

  beforeAll(async () => {
    account = await openAccount();
    const { email, browser } = await account.addUser('owner');
    await account.require();
    sessions.set('from before', browser);
    sessions.set('of a new sign-in', await signIn(email));
  });

  const routes = CONSOLE_ROUTES.filter(({ access }) => !['anyone', 'signed_in', 'member'].includes(access));

  describe.each(['from before', 'of a new sign-in'])('a session %s with one factor', (name) => {
    it.each(routes)('does not reach $method $path', async ({ method, path }) => {
      const address = path.replaceAll(/:\w+/g, crypto.randomUUID());
      const body = method === 'GET' ? undefined : {};
      const browser = new ConsoleClient(service, ORIGIN);
      browser.cookie = sessions.get(name)?.cookie;
      for (const headers of [{}, { 'x-console-account': account.id }] as Record<string, string>[])
        expect(await browser.request(method, address, body, headers)).toMatchObject(BLOCKED);
    });
  });

  it('shows such a session its name and no permission, and the API key still works', async () => {
    const { body } = await (sessions.get('from before') as ConsoleClient).request('GET', 'session');
    expect(body).toMatchObject({
      two_factors: false,
      account: { id: account.id, two_factors_required_by: 'account', permissions: [] },
    });
    expect((await account.owner.request('GET', 'session')).body).toMatchObject({
      two_factors: true,
      account: { two_factors_required_by: 'account', permissions: expect.arrayContaining(['jobs.read']) },
    });
    const answer = await fetch(`${service.baseUrl}/api/v1/jobs`, { headers: { 'x-api-key': account.key } });
    expect(answer.status).toBe(200);
  });

  it('is reached in the same browser after an app is set up, with a new cookie', async () => {
    const { browser } = await account.addUser('member');
    const before = new ConsoleClient(service, ORIGIN);
    before.cookie = browser.cookie;
    expect(await listJobs(browser)).toMatchObject(BLOCKED);
    await enableSecondFactor(browser);
    expect((await listJobs(browser)).status).toBe(200);
    expect((await listJobs(before)).status).toBe(401);
  });

  it('is reached after a passkey is added, and later with the passkey, not with the password', async () => {
    const { email, browser } = await account.addUser('member');
    const { authenticator } = await addPasskey(browser);
    expect((await listJobs(browser)).status).toBe(200);
    const byPassword = await signIn(email);
    expect(await listJobs(byPassword)).toMatchObject(BLOCKED);
    expect((await listJobs(await signInWithPasskey(authenticator))).status).toBe(200);
  });

  it('keeps somebody who knows only the password of a user with a passkey from adding, enabling or removing a factor', async () => {
    const { email, browser } = await account.addUser('member');
    const { id } = await addPasskey(browser);
    const attacker = await signIn(email);
    for (const [method, path, body] of [
      ['POST', 'profile/second-factor', CONFIRM],
      ['POST', 'profile/second-factor/enable', { code: '000000' }],
      ['DELETE', 'profile/second-factor', CONFIRM],
      ['POST', 'profile/passkeys/options', CONFIRM],
      ['POST', 'profile/passkeys', { credential: CREDENTIAL, name: 'Mine' }],
      ['DELETE', `profile/passkeys/${id}`, CONFIRM],
    ] as const)
      expect(await attacker.request(method, path, body), `${method} ${path}`).toMatchObject(BLOCKED);
    const confirmed = await attacker.request('POST', 'session/second-factor', { code: '000000' });
    expect(confirmed).toMatchObject({ status: 409, body: { code: 'conflict' } });
  });

  it('a new user accepts an invitation, sets a factor up and joins', async () => {
    const invited = { email: 'invited@two-factors.example.org', role: 'member' };
    const { body } = await account.owner.request('POST', 'invitations', invited);
    const browser = new ConsoleClient(service, ORIGIN);
    const answer = { token: String(body.link).split('#')[1], name: 'Ines', password: PASSWORD };
    expect((await browser.request('POST', 'invitation/accept', answer)).status).toBe(200);
    expect(await listJobs(browser)).toMatchObject(BLOCKED);
    await enableSecondFactor(browser);
    expect((await listJobs(browser)).status).toBe(200);
  });

  it('does not keep its users from their other accounts', async () => {
    const { email, browser } = await account.addUser('member');
    const other = await openAccount();
    await service.admin('users', 'role', email, '--account', other.id, '--role', 'viewer');
    expect(await listJobs(browser)).toMatchObject(BLOCKED);
    const switchTo = (account_id: string) => browser.request('PUT', 'session/account', { account_id });
    expect((await switchTo(other.id)).status).toBe(204);
    expect((await listJobs(browser)).status).toBe(200);
    expect((await switchTo(account.id)).status).toBe(204);
    expect(await listJobs(browser)).toMatchObject(BLOCKED);
  });

  it('a user keeps one factor as long as it is required', async () => {
    const { browser } = await account.addUser('member');
    await enableSecondFactor(browser);
    const last = await browser.request('DELETE', 'profile/second-factor', CONFIRM);
    expect(last).toMatchObject({ status: 409, body: { code: 'conflict' } });
    expect(last.body.detail).toContain('requires two factors');
    expect((await browser.request('GET', 'session')).body).toMatchObject({ user: { second_factor: true } });
    const { id } = await addPasskey(browser);
    expect((await browser.request('DELETE', 'profile/second-factor', CONFIRM)).status).toBe(204);
    expect((await browser.request('DELETE', `profile/passkeys/${id}`, CONFIRM)).status).toBe(409);
    await account.require(false);
    expect((await browser.request('DELETE', `profile/passkeys/${id}`, CONFIRM)).status).toBe(204);
    await account.require();
  });

  it('an operator removes the factors of who has lost them, who then sets up new ones', async () => {
    const { email, browser } = await account.addUser('member');
    await enableSecondFactor(browser);
    await addPasskey(browser);
    await service.admin('users', 'reset-factors', email);
    expect((await listJobs(browser)).status).toBe(401);
    const later = await signIn(email);
    expect(await listJobs(later)).toMatchObject(BLOCKED);
    await enableSecondFactor(later);
    expect((await listJobs(later)).status).toBe(200);
  });
});

describe('the setting', () => {
  it('is changed by who has signed in with two factors, and the audit log has each change', async () => {
    const { owner, addUser, require } = await openAccount();
    const { browser } = await addUser('admin');
    const turnOn = () => browser.request('PUT', 'account/two-factors', { required: true });
    const refused = await turnOn();
    expect(refused).toMatchObject(BLOCKED);
    expect(refused.body.detail).toContain('lose access yourself');
    expect((await owner.request('GET', 'account')).body).toMatchObject({ requires_two_factors: false });
    await enableSecondFactor(browser);
    expect((await turnOn()).status).toBe(204);
    expect((await turnOn()).status).toBe(204);
    expect((await listJobs(owner)).status).toBe(200);
    await require(false);
    expect((await browser.request('PUT', 'account/two-factors', { required: 'yes' })).status).toBe(422);
    const { body } = await owner.request<{ events: { details: unknown }[] }>(
      'GET',
      'audit?action=account.two_factors_changed',
    );
    expect(body.events.map(({ details }) => details)).toEqual([{ required: false }, { required: true }]);
  });

  it('is changed by the operator', async () => {
    const { id, owner, addUser } = await openAccount();
    const { browser } = await addUser('member');
    const { stdout } = await service.admin('accounts', 'two-factors', id, '--require');
    expect(stdout).toContain('requires two factors from now on');
    expect(await listJobs(browser)).toMatchObject(BLOCKED);
    await service.admin('accounts', 'two-factors', id, '--optional');
    expect((await listJobs(browser)).status).toBe(200);
    const { body } = await owner.request('GET', 'audit?action=account.two_factors_changed');
    expect(body.events).toMatchObject([{ actor: { kind: 'operator' } }, { actor: { kind: 'operator' } }]);
  });
});

it('a session from before the setting confirms the code of an app that is set up', async () => {
  const { owner, addUser, require } = await openAccount();
  const { email, browser } = await addUser('member');
  const { secret } = await enableSecondFactor(browser);
  // As a version before the setting, or a sign-in through a provider, leaves it.
  await service.query(
    `UPDATE user_session SET two_factors = false FROM app_user
     WHERE app_user.id = user_session.user_id AND email = $1`,
    [email],
  );
  await require();
  expect(await listJobs(browser)).toMatchObject(BLOCKED);
  const wrong = await browser.request('POST', 'session/second-factor', { code: '000000' });
  expect(wrong).toMatchObject({ status: 422, body: { errors: [{ field: 'code' }] } });
  const before = new ConsoleClient(service, ORIGIN);
  before.cookie = browser.cookie;
  const code = computeTotp(secret, Date.now() + 30_000);
  expect((await browser.request('POST', 'session/second-factor', { code })).status).toBe(204);
  expect((await listJobs(browser)).status).toBe(200);
  expect((await listJobs(before)).status).toBe(401);
  expect((await listJobs(owner)).status).toBe(200);
});
