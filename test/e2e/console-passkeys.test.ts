import { beforeAll, describe, expect, it } from 'vitest';
import { SoftwareAuthenticator } from '../support/software-authenticator.js';
import { ConsoleClient } from './support/console-client.js';
import { ConsoleUsers, PASSWORD } from './support/console-users.js';
import type { RunningService } from './support/running-service.js';
import { PUBLIC_ORIGIN as ORIGIN, useSharedService } from './support/shared-service.js';

type Options = Parameters<SoftwareAuthenticator['create']>[0];

let service: RunningService;
let users: ConsoleUsers;

beforeAll(async () => {
  service = await useSharedService('publicUrl');
  users = new ConsoleUsers(service, (await service.openAccount(0)).account_id, ORIGIN);
});

const startRegistration = (browser: ConsoleClient, current_password = PASSWORD) =>
  browser.request<Options>('POST', 'profile/passkeys/options', { current_password });

async function register(email: string) {
  const browser = await users.createWithPassword(email);
  const authenticator = new SoftwareAuthenticator(ORIGIN);
  const credential = authenticator.create((await startRegistration(browser)).body);
  const { status, body } = await browser.request('POST', 'profile/passkeys', { credential, name: 'Phone' });
  expect(status).toBe(200);
  return { browser, authenticator, id: String(body.id) };
}

async function startSignIn(browser: ConsoleClient): Promise<{ challenge: string }> {
  return (await browser.request<{ challenge: string }>('POST', 'sign-in/passkey/options')).body;
}

async function signIn(authenticator: SoftwareAuthenticator, browser = new ConsoleClient(service, ORIGIN)) {
  const credential = authenticator.get(await startSignIn(browser));
  return browser.request('POST', 'sign-in/passkey', { credential });
}

describe('passkeys', () => {
  it('sign in without mail address and password, and are listed, renamed and removed', async () => {
    const { browser, authenticator, id } = await register('passkey@passkeys.example.org');
    const other = new ConsoleClient(service, ORIGIN);
    expect((await signIn(authenticator, other)).body).toEqual({ state: 'signed_in' });
    expect((await other.request('GET', 'session')).body).toMatchObject({
      user: { email: 'passkey@passkeys.example.org' },
    });
    expect((await browser.request('PUT', `profile/passkeys/${id}`, { name: 'Key' })).status).toBe(204);
    expect((await browser.request('GET', 'profile/passkeys')).body).toEqual({
      passkeys: [
        { id, name: 'Key', created_at: expect.any(String), last_used_at: expect.stringContaining('T') },
      ],
    });
    const stranger = await users.createWithPassword('stranger@passkeys.example.org');
    const confirm = { current_password: PASSWORD };
    expect((await stranger.request('DELETE', `profile/passkeys/${id}`, confirm)).status).toBe(404);
    expect((await stranger.request('PUT', `profile/passkeys/${id}`, { name: 'x' })).status).toBe(404);
    expect((await browser.request('DELETE', `profile/passkeys/${id}`, {})).status).toBe(422);
    expect((await browser.request('DELETE', `profile/passkeys/${id}`, confirm)).status).toBe(204);
    expect(await signIn(authenticator)).toMatchObject({ status: 401, body: { code: 'sign_in_failed' } });
  });

  it('each challenge works once, in registration and in sign-in', async () => {
    const { browser, authenticator } = await register('once@passkeys.example.org');
    const credential = authenticator.get(await startSignIn(browser));
    const first = new ConsoleClient(service, ORIGIN);
    expect((await first.request('POST', 'sign-in/passkey', { credential })).status).toBe(200);
    expect((await first.request('POST', 'sign-in/passkey', { credential })).status).toBe(401);
    const second = new SoftwareAuthenticator(ORIGIN);
    const body = { credential: second.create((await startRegistration(browser)).body), name: 'Second' };
    expect((await browser.request('POST', 'profile/passkeys', body)).status).toBe(200);
    expect((await browser.request('POST', 'profile/passkeys', body)).status).toBe(422);
  });

  it('a registration needs the password, and belongs to the user who started it', async () => {
    const browser = await users.createWithPassword('starts@passkeys.example.org');
    const other = await users.createWithPassword('takes@passkeys.example.org');
    expect((await startRegistration(browser, 'wrong')).status).toBe(422);
    const credential = new SoftwareAuthenticator(ORIGIN).create((await startRegistration(browser)).body);
    const taken = await other.request('POST', 'profile/passkeys', { credential, name: 'Taken' });
    expect(taken).toMatchObject({ status: 422, body: { errors: [{ field: 'response' }] } });
  });

  it.each<[string, (authenticator: SoftwareAuthenticator) => void]>([
    ['from a page of another origin', (each) => (each.origin = 'https://console.example.org.evil.example')],
    ['without verification of the user', (each) => (each.verifiesUser = false)],
    ['with the counter of a copy', (each) => (each.counter = 0)],
  ])('an answer %s signs nobody in', async (name, change) => {
    const { authenticator } = await register(`${name.replaceAll(/\W/g, '')}@passkeys.example.org`);
    for (let use = 0; use < 2; use += 1) expect((await signIn(authenticator)).status).toBe(200);
    change(authenticator);
    expect((await signIn(authenticator)).status).toBe(401);
  });

  it('of a disabled user sign nobody in', async () => {
    const { authenticator } = await register('gone@passkeys.example.org');
    await service.admin('users', 'disable', 'gone@passkeys.example.org');
    expect((await signIn(authenticator)).status).toBe(401);
  });

  it('without the answer of an authenticator are refused by the name of the field', async () => {
    const browser = new ConsoleClient(service, ORIGIN);
    for (const [body, field] of [
      [{}, 'credential'],
      [{ credential: [] }, 'credential'],
      [{ credential: { id: 'a', rawId: 'a', type: 'public-key' } }, 'credential.response'],
    ] as const)
      expect(await browser.request('POST', 'sign-in/passkey', body)).toMatchObject({
        status: 422,
        body: { errors: [{ field }] },
      });
  });

  it('are offered at a host name only', async () => {
    const browser = new ConsoleClient(service, ORIGIN);
    expect((await browser.request('GET', 'sign-in/methods')).body).toEqual({
      password: true,
      passkey: true,
      oidc: false,
      forgot_password: false,
    });
  });
});
