import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConsoleClient } from './support/console-client.js';
import { ConsoleUsers, PASSWORD } from './support/console-users.js';
import { CLIENT_ID, CLIENT_SECRET, TestOidcProvider } from './support/oidc-provider.js';
import { Service } from './support/service.js';
import { computeTotp, enableSecondFactor } from './support/totp.js';

const ORIGIN = 'https://console.example.org';
const REDIRECT_URL = `${ORIGIN}/console/api/sign-in/oidc/callback`;

const settings = () => ({
  PUBLIC_URL: ORIGIN,
  REQUIRE_TWO_FACTORS: 'false',
  SIGN_IN_ATTEMPTS_PER_ADDRESS: '1000',
  OIDC_ISSUER: provider.issuer,
  OIDC_CLIENT_ID: CLIENT_ID,
  OIDC_CLIENT_SECRET: CLIENT_SECRET,
  OIDC_ALLOWED_DOMAINS: 'example.org',
});

let provider: TestOidcProvider;
let service: Service;
let users: ConsoleUsers;

beforeAll(async () => {
  provider = await TestOidcProvider.start(REDIRECT_URL);
  service = await Service.start(settings());
  users = new ConsoleUsers(service, (await service.openAccount(0)).account_id, ORIGIN);
  await users.createWithPassword('forged@example.org');
});
afterAll(async () => {
  await service?.stop();
  await provider?.stop();
});

const openBrowser = () => new ConsoleClient(service, ORIGIN);

/** @returns the path and query that the provider sends the browser to */
async function startAs(
  browser: ConsoleClient,
  subject: string,
  email: string,
  verified = true,
  body?: object,
) {
  provider.people.set(subject, { email, email_verified: verified, name: 'Given\u0000 \u202eName' });
  provider.subject = subject;
  const started = await browser.request('POST', 'sign-in/oidc', body);
  expect(started.status).toBe(200);
  const address = new URL(await provider.visit(String(started.body.url), REDIRECT_URL));
  return `sign-in/oidc/callback${address.search}`;
}

/** @returns where the console sends the browser */
async function signIn(subject: string, email: string, verified = true, browser = openBrowser()) {
  const { status, headers } = await browser.request('GET', await startAs(browser, subject, email, verified));
  expect(status).toBe(302);
  // The state cookie is cleared first, the session cookie follows.
  browser.cookie = headers.getSetCookie().at(-1)?.split(';', 1)[0];
  return { location: headers.get('location'), browser };
}

const HOME = `${ORIGIN}/console/`;
const rejected = (reason: string) => `${ORIGIN}/console/sign-in?error=${reason}`;

describe('sign-in through an OpenID Connect provider', () => {
  it('signs a known user in, and remembers the identity when the address changes', async () => {
    await users.createByRows('known@example.org');
    const { location, browser } = await signIn('s-known', 'Known@example.org');
    expect(location).toBe(HOME);
    const session = await browser.request('GET', 'session');
    expect(session.body).toMatchObject({ user: { email: 'known@example.org' }, account: { role: 'owner' } });
    const later = await signIn('s-known', 'renamed@example.org');
    expect((await later.browser.request('GET', 'session')).body).toMatchObject({
      user: { email: 'known@example.org' },
    });
  });

  it.each([
    ['an unknown user', 's-unknown', 'unknown@example.org', true, 'not_invited'],
    ['an address of another domain', 's-foreign', 'known@evil.example', true, 'address_not_allowed'],
    ['a domain that only ends alike', 's-alike', 'known@evilexample.org', true, 'address_not_allowed'],
    ['an address that is not verified', 's-unverified', 'known@example.org', false, 'address_not_allowed'],
  ])('%s is rejected with the reason', async (_, subject, email, verified, reason) => {
    const { location, browser } = await signIn(subject, email, verified);
    expect(location).toBe(rejected(reason));
    expect((await browser.request('GET', 'session')).status).toBe(401);
  });

  it('an open invitation of the verified address makes an unknown user a member', async () => {
    const owner = openBrowser();
    await owner.signInByLink(await users.createByRows('inviting@example.org'));
    await owner.request('POST', 'invitations', { email: 'invited@example.org', role: 'viewer' });
    const { location, browser } = await signIn('s-invited', 'invited@example.org');
    expect(location).toBe(HOME);
    expect((await browser.request('GET', 'session')).body).toMatchObject({
      user: { email: 'invited@example.org', name: 'Given Name' },
      account: { role: 'viewer' },
    });
  });

  it('of several open invitations accepts the one whose link the page holds', async () => {
    const email = 'twice@example.org';
    const tokens: string[] = [];
    for (const role of ['viewer', 'member']) {
      const accountId = (await service.openAccount(0)).account_id;
      const owner = openBrowser();
      await owner.signInByLink(
        await new ConsoleUsers(service, accountId, ORIGIN).createByRows(`${role}@inviting.example.org`),
      );
      const { body } = await owner.request('POST', 'invitations', { email, role });
      tokens.push(String(body.link).split('#')[1] ?? '');
    }
    expect((await signIn('s-twice', email)).location).toBe(rejected('several_invitations'));
    const browser = openBrowser();
    const callback = await startAs(browser, 's-twice', email, true, { invitation_token: tokens[1] });
    const { headers } = await browser.request('GET', callback);
    expect(headers.get('location')).toBe(HOME);
    browser.cookie = headers.getSetCookie().at(-1)?.split(';', 1)[0];
    const { body } = await browser.request<{ accounts: unknown[] }>('GET', 'session');
    expect(body).toMatchObject({ account: { role: 'member' } });
    expect(body.accounts).toHaveLength(1);
  });

  it('ends what somebody else set up who accepted the invitation of an address with a copied link', async () => {
    const owner = openBrowser();
    await owner.signInByLink(await users.createByRows('copying@example.org'));
    const { body } = await owner.request('POST', 'invitations', {
      email: 'victim@example.org',
      role: 'viewer',
    });
    const attacker = openBrowser();
    const token = String(body.link).split('#')[1];
    const accepted = { token, name: 'Victim', password: PASSWORD };
    expect((await attacker.request('POST', 'invitation/accept', accepted)).status).toBe(200);
    await enableSecondFactor(attacker);
    const { browser } = await signIn('s-victim', 'victim@example.org');
    expect((await browser.request('GET', 'session')).body).toMatchObject({
      user: { email: 'victim@example.org', has_password: false, second_factor: false },
    });
    expect((await attacker.request('GET', 'session')).status).toBe(401);
    const again = { email: 'victim@example.org', password: PASSWORD };
    expect((await attacker.request('POST', 'sign-in', again)).status).toBe(401);
    const events = await browser.request<{ events: { action: string }[] }>('GET', 'profile/events');
    expect(events.body.events.map(({ action }) => action)).toContain('user.sign_in_reset');

    await browser.request('PUT', 'profile/password', { password: PASSWORD });
    await signIn('s-victim', 'victim@example.org');
    expect((await openBrowser().request('POST', 'sign-in', again)).status).toBe(200);
  });

  it('does not sign another person in who has got the address of a known one', async () => {
    await users.createByRows('reused@example.org');
    expect((await signIn('s-first', 'reused@example.org')).location).toBe(HOME);
    const { location, browser } = await signIn('s-second', 'reused@example.org');
    expect(location).toBe(rejected('another_identity'));
    expect((await browser.request('GET', 'session')).status).toBe(401);
    expect((await signIn('s-first', 'reused@example.org')).location).toBe(HOME);
    await service.admin('users', 'unlink', 'reused@example.org');
    expect((await signIn('s-second', 'reused@example.org')).location).toBe(HOME);
    expect((await signIn('s-first', 'reused@example.org')).location).toBe(rejected('another_identity'));
  });

  it('a disabled user is rejected', async () => {
    await users.createByRows('disabled@example.org');
    await service.admin('users', 'disable', 'disabled@example.org');
    expect((await signIn('s-disabled', 'disabled@example.org')).location).toBe(rejected('user_disabled'));
  });

  it('works in two tabs of a browser at the same time', async () => {
    await users.createByRows('tabs@example.org');
    const browser = openBrowser();
    const tabs: { callback: string; cookie: string | undefined }[] = [];
    for (let tab = 0; tab < 2; tab += 1) {
      const callback = await startAs(browser, 's-tabs', 'tabs@example.org');
      tabs.push({ callback, cookie: browser.cookie });
    }
    for (const { callback } of tabs) {
      browser.cookie = tabs.map(({ cookie }) => cookie).join('; ');
      expect((await browser.request('GET', callback)).headers.get('location')).toBe(HOME);
    }
  });

  it('an answer works in the browser that started, once, and unchanged', async () => {
    await users.createByRows('bound@example.org');
    const browser = openBrowser();
    const stolen = await startAs(browser, 's-bound', 'bound@example.org');
    const failed = rejected('oidc_failed');
    const elsewhere = await openBrowser().request('GET', stolen);
    expect(elsewhere.headers.get('location')).toBe(failed);
    const stateCookie = browser.cookie;
    const changed = await browser.request('GET', stolen.replace('code=', 'code=x'));
    expect(changed.headers.get('location')).toBe(failed);
    browser.cookie = stateCookie;
    expect((await browser.request('GET', stolen)).headers.get('location')).toBe(failed);
    expect((await signIn('s-bound', 'bound@example.org')).location).toBe(HOME);
  });

  it.each<[string, (header: object, claims: object) => [object, object]]>([
    ['other claims than the provider signed', (header, claims) => [header, { ...claims, amr: ['mfa'] }]],
    ['no signature', (header, claims) => [{ ...header, alg: 'none' }, claims]],
    ['the signature of another key', (header, claims) => [{ ...header, kid: 'unknown' }, claims]],
  ])('an ID token with %s signs nobody in', async (_, change) => {
    provider.changeIdToken = (token) => {
      const [header = '', claims = '', signature = ''] = token.split('.');
      const decode = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString()) as object;
      const changed = change(decode(header), decode(claims));
      const parts = changed.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'));
      return [...parts, 'alg' in changed[0] && changed[0].alg === 'none' ? '' : signature].join('.');
    };
    try {
      const { location, browser } = await signIn('s-forged', 'forged@example.org');
      expect(location).toBe(rejected('oidc_failed'));
      expect((await browser.request('GET', 'session')).status).toBe(401);
    } finally {
      provider.changeIdToken = (token) => token;
    }
    expect((await signIn('s-forged', 'forged@example.org')).location).toBe(HOME);
  });

  it('has two factors if the provider says so, and else after a code of the app here', async () => {
    const email = 'factors@example.org';
    const { secret } = await enableSecondFactor(await users.createWithPassword(email));
    const read = async (browser: ConsoleClient) => (await browser.request('GET', 'session')).body;
    const { browser } = await signIn('s-factors', email);
    expect(await read(browser)).toMatchObject({ two_factors: false });
    const code = computeTotp(secret, Date.now() + 30_000);
    expect((await browser.request('POST', 'session/second-factor', { code })).status).toBe(204);
    expect(await read(browser)).toMatchObject({ two_factors: true });
    provider.methods = ['pwd', 'mfa'];
    try {
      expect(await read((await signIn('s-factors', email)).browser)).toMatchObject({ two_factors: true });
    } finally {
      provider.methods = ['pwd'];
    }
  });

  it('has two factors if the operator states that the provider always asks for two', async () => {
    const other = await Service.start({ ...settings(), OIDC_TWO_FACTORS: 'true' });
    try {
      await new ConsoleUsers(other, (await other.openAccount(0)).account_id, ORIGIN).createByRows(
        'a@example.org',
      );
      const { browser } = await signIn('s-a', 'a@example.org', true, new ConsoleClient(other, ORIGIN));
      expect((await browser.request('GET', 'session')).body).toMatchObject({ two_factors: true });
    } finally {
      await other.stop();
    }
  });

  it('no code, state or token is in the log', async () => {
    const browser = openBrowser();
    const path = await startAs(browser, 's-known', 'known@example.org');
    await browser.request('GET', path);
    const query = new URLSearchParams(path.split('?')[1]);
    const log = await service.log();
    for (const name of ['code', 'state']) {
      expect(query.get(name)).toMatch(/.{20}/);
      expect(log).not.toContain(query.get(name));
    }
    expect(log).not.toContain(CLIENT_SECRET);
  });
});
