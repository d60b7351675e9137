import { beforeAll, describe, expect, it } from 'vitest';
import { ConsoleClient, type ConsoleResponse } from './support/console-client.js';
import { ConsoleUsers, PASSWORD } from './support/console-users.js';
import type { RunningService } from './support/running-service.js';
import { useSharedService } from './support/shared-service.js';
import { computeTotp, enableSecondFactor } from './support/totp.js';

let service: RunningService;
let users: ConsoleUsers;
let accountId: string;

beforeAll(async () => {
  service = await useSharedService();
  ({ account_id: accountId } = await service.openAccount(0));
  users = new ConsoleUsers(service, accountId);
});

function signIn(email: string, password = PASSWORD): Promise<ConsoleResponse<Record<string, unknown>>> {
  return new ConsoleClient(service).request('POST', 'sign-in', { email, password });
}

describe('signing in to the console', () => {
  it('a link signs a user in once, with a cookie that scripts and other hosts cannot read', async () => {
    const link = await users.create('once@sign-in.example.org');
    const browser = new ConsoleClient(service);
    const token = link.split('#')[1];
    const first = await browser.request('POST', 'sign-in/link', { token });
    expect(first.status).toBe(200);
    expect(first.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^zephyr_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/),
    ]);
    const session = await browser.request('GET', 'session');
    expect(session.body).toMatchObject({
      user: { email: 'once@sign-in.example.org', second_factor: false },
      account: { id: accountId, role: 'owner' },
    });
    const second = await new ConsoleClient(service).request('POST', 'sign-in/link', { token });
    expect(second).toMatchObject({ status: 401, body: { code: 'sign_in_failed' } });
  });

  it.each(['admin', 'member', 'viewer'])('an operator creates users with the role %s', async (role) => {
    const browser = new ConsoleClient(service);
    await browser.signInByLink(await users.create(`created-${role}@sign-in.example.org`, role));
    expect((await browser.request('GET', 'session')).body).toMatchObject({
      account: { id: accountId, role },
    });
  });

  it('an unknown user, a wrong password and a disabled user get the same answer', async () => {
    await users.createWithPassword('right@sign-in.example.org');
    await users.createWithPassword('disabled@sign-in.example.org');
    await service.admin('users', 'disable', 'disabled@sign-in.example.org');
    const answers = [
      await signIn('nobody@sign-in.example.org'),
      await signIn('right@sign-in.example.org', 'violet harbour 28'),
      await signIn('disabled@sign-in.example.org'),
    ];
    for (const { status, body } of answers)
      expect({ status, code: body.code, detail: body.detail }).toEqual({
        status: 401,
        code: 'sign_in_failed',
        detail: 'The mail address or the password is wrong.',
      });
    expect((await signIn('RIGHT@sign-in.example.org')).status).toBe(200);
  });

  it('guessing is limited per user, wherever it comes from, and the right password is refused meanwhile', async () => {
    await users.createWithPassword('guessed@sign-in.example.org');
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 11; attempt += 1)
      statuses.push((await signIn('guessed@sign-in.example.org', `wrong password ${attempt}`)).status);
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429]);
    const limited = await signIn('guessed@sign-in.example.org');
    expect(limited.status).toBe(429);
    expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  it('a sign-in ends the session that the browser had before', async () => {
    const browser = await users.createWithPassword('fixed@sign-in.example.org');
    const old = new ConsoleClient(service);
    old.cookie = browser.cookie;
    expect(
      (await browser.request('POST', 'sign-in', { email: 'fixed@sign-in.example.org', password: PASSWORD }))
        .status,
    ).toBe(200);
    expect(browser.cookie).not.toBe(old.cookie);
    expect((await old.request('GET', 'session')).status).toBe(401);
    expect((await browser.request('GET', 'session')).status).toBe(200);
  });

  it('signing out, a new password and disabling the user end sessions at once', async () => {
    const email = 'ends@sign-in.example.org';
    const first = await users.createWithPassword(email);
    const second = new ConsoleClient(service);
    await second.request('POST', 'sign-in', { email, password: PASSWORD });
    const change = { current_password: PASSWORD, password: 'amber lantern 31' };
    expect(
      (await first.request('PUT', 'profile/password', { ...change, current_password: 'x' })).status,
    ).toBe(422);
    expect((await first.request('PUT', 'profile/password', change)).status).toBe(204);
    expect((await second.request('GET', 'session')).status).toBe(401);
    expect((await first.request('GET', 'session')).status).toBe(200);
    expect((await first.request('POST', 'sign-out')).status).toBe(204);
    expect((await first.request('GET', 'session')).status).toBe(401);
    const third = new ConsoleClient(service);
    await third.request('POST', 'sign-in', { email, password: change.password });
    const { body } = await third.request<{ events: object[] }>('GET', 'profile/events');
    expect(body.events).toContainEqual(expect.objectContaining({ action: 'user.signed_out' }));
    expect((await third.request('GET', 'session')).status).toBe(200);
    await service.admin('users', 'disable', email);
    expect((await third.request('GET', 'session')).status).toBe(401);
  });

  it('a second factor is required after the password, takes each code once, and can be replaced by a recovery code', async () => {
    const email = 'factor@sign-in.example.org';
    const browser = await users.createWithPassword(email);
    const confirm = { current_password: PASSWORD };
    const { body: enrolled } = await browser.request<{ secret: string; uri: string }>(
      'POST',
      'profile/second-factor',
      confirm,
    );
    expect(enrolled.uri).toMatch(/^otpauth:\/\/totp\//);
    const now = Date.now();
    const code = computeTotp(enrolled.secret, now);
    const enabled = await browser.request<{ recovery_codes: string[] }>(
      'POST',
      'profile/second-factor/enable',
      { code },
    );
    expect(enabled.status).toBe(200);
    expect(enabled.body.recovery_codes).toHaveLength(10);
    // 24 of 31 characters are 118 bits.
    for (const each of enabled.body.recovery_codes)
      expect(each).toMatch(/^([a-hjkmnp-z2-9]{4}-){5}[a-hjkmnp-z2-9]{4}$/);

    const other = new ConsoleClient(service);
    const first = await other.request('POST', 'sign-in', { email, password: PASSWORD });
    expect(first.body).toEqual({ state: 'second_factor', challenge: expect.any(String) });
    expect((await other.request('GET', 'session')).status).toBe(401);
    const { challenge } = first.body;
    const reused = await other.request('POST', 'sign-in/second-factor', { challenge, code });
    expect(reused.status).toBe(401);
    const next = computeTotp(enrolled.secret, now + 30_000);
    expect((await other.request('POST', 'sign-in/second-factor', { challenge, code: next })).status).toBe(
      200,
    );
    expect((await other.request('GET', 'session')).status).toBe(200);

    const third = new ConsoleClient(service);
    const [recovery = ''] = enabled.body.recovery_codes;
    const again = await third.request('POST', 'sign-in', { email, password: PASSWORD });
    const answer = { challenge: again.body.challenge, code: recovery.toUpperCase().replaceAll('-', ' ') };
    expect((await third.request('POST', 'sign-in/second-factor', answer)).status).toBe(200);
    const repeated = await third.request('POST', 'sign-in', { email, password: PASSWORD });
    const spent = { challenge: repeated.body.challenge, code: recovery };
    expect((await third.request('POST', 'sign-in/second-factor', spent)).status).toBe(401);
  });

  it('a code of an authenticator app expires after a minute', async () => {
    const email = 'expired-code@sign-in.example.org';
    const { secret } = await enableSecondFactor(await users.createWithPassword(email));
    const browser = new ConsoleClient(service);
    const { body } = await browser.request('POST', 'sign-in', { email, password: PASSWORD });
    // Those of before the app was set up are refused as used; in the rows, it was set up long ago.
    await service.query(
      'UPDATE totp_secret SET last_step = 0 FROM app_user WHERE app_user.id = user_id AND email = $1',
      [email],
    );
    const enter = (code: string) =>
      browser.request('POST', 'sign-in/second-factor', { challenge: body.challenge, code });
    expect((await enter(computeTotp(secret, Date.now() - 90_000))).status).toBe(401);
    expect((await enter(computeTotp(secret, Date.now()))).status).toBe(200);
  });

  it.each([
    ['another origin', { origin: 'https://evil.example' }],
    ['no header of the console', { 'x-console': '' }],
  ])('a change from %s is rejected', async (_, headers) => {
    const browser = await users.createWithPassword(`csrf-${Object.keys(headers)[0]}@sign-in.example.org`);
    const rejected = await browser.request('POST', 'sign-out', undefined, headers);
    expect(rejected).toMatchObject({ status: 403, body: { code: 'cross_site_request' } });
    expect((await browser.request('GET', 'session')).status).toBe(200);
  });

  it('a password that is short, common or contains the mail address is rejected by name of the field', async () => {
    const browser = new ConsoleClient(service);
    await browser.signInByLink(await users.createByRows('harbour@sign-in.example.org'));
    for (const password of ['short', 'aaaaaaaaaaaaaaa', 'my harbour 12345', 'Password2024!', '1q2w3e4r5t6y'])
      expect(await browser.request('PUT', 'profile/password', { password })).toMatchObject({
        status: 422,
        body: { errors: [{ field: 'password' }] },
      });
  });

  it('a link sets a forgotten password and ends all sessions', async () => {
    const email = 'forgot@sign-in.example.org';
    const browser = await users.createWithPassword(email);
    const { stdout } = await service.admin('users', 'link', email, '--set-password');
    const body = { token: stdout.trim().split('#')[1], password: 'copper meadow 77' };
    const other = new ConsoleClient(service);
    expect((await other.request('POST', 'sign-in/set-password', body)).status).toBe(204);
    expect((await other.request('POST', 'sign-in/set-password', body)).status).toBe(401);
    expect((await browser.request('GET', 'session')).status).toBe(401);
    expect((await signIn(email, body.password)).status).toBe(200);
  });

  it('a confirmation by the password gives the session a new token, and the one before is void', async () => {
    const email = 'renewed@sign-in.example.org';
    const browser = await users.createWithPassword(email);
    const changes: [string, string, object][] = [
      ['PUT', 'profile/password', { password: 'amber lantern 31' }],
      ['POST', 'profile/passkeys/options', {}],
      ['POST', 'profile/second-factor', {}],
      ['POST', 'profile/sessions/end-others', {}],
    ];
    let current_password = PASSWORD;
    for (const [method, path, body] of changes) {
      const stolen = new ConsoleClient(service);
      stolen.cookie = browser.cookie;
      await browser.request(method, path, { ...body, current_password });
      if (path === 'profile/password') current_password = 'amber lantern 31';
      expect((await stolen.request('GET', 'session')).status, path).toBe(401);
      expect((await browser.request('GET', 'session')).status, path).toBe(200);
    }
    const before = browser.cookie;
    await browser.request('POST', 'profile/second-factor', { current_password: 'not the password' });
    expect(browser.cookie).toBe(before);
  });

  it('a forgotten password does not replace the second factor', async () => {
    const email = 'forgot-one@sign-in.example.org';
    await enableSecondFactor(await users.createWithPassword(email));
    const { stdout } = await service.admin('users', 'link', email, '--set-password');
    const body = { token: stdout.trim().split('#')[1], password: 'copper meadow 77' };
    const other = new ConsoleClient(service);
    expect((await other.request('POST', 'sign-in/set-password', body)).status).toBe(204);
    const { body: answer } = await other.request('POST', 'sign-in', { email, password: body.password });
    expect(answer).toEqual({ state: 'second_factor', challenge: expect.any(String) });
    expect((await other.request('GET', 'session')).status).toBe(401);
  });

  it('guesses of codes are limited per user, also with new challenges', async () => {
    const email = 'codes@sign-in.example.org';
    await enableSecondFactor(await users.createWithPassword(email));
    const other = new ConsoleClient(service);
    const statuses: number[] = [];
    // The code that enabled the app is the first of the ten in a minute.
    for (const guesses of [6, 4]) {
      const { body } = await other.request('POST', 'sign-in', { email, password: PASSWORD });
      for (let guess = 0; guess < guesses; guess += 1) {
        const attempt = { challenge: body.challenge, code: `wrong ${guess}` };
        statuses.push((await other.request('POST', 'sign-in/second-factor', attempt)).status);
      }
    }
    expect(statuses).toEqual([...Array.from({ length: 9 }, () => 401), 429]);
  });
});
