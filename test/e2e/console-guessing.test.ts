import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConsoleClient } from './support/console-client.js';
import { ConsoleUsers, PASSWORD } from './support/console-users.js';
import { Service } from './support/service.js';
import { computeTotp, enableSecondFactor } from './support/totp.js';

const ATTEMPTS_PER_ADDRESS = 12;
const ATTEMPTS_PER_USER = 10;

let service: Service;
let users: ConsoleUsers;

beforeAll(async () => {
  service = await Service.start({
    SIGN_IN_ATTEMPTS_PER_ADDRESS: String(ATTEMPTS_PER_ADDRESS),
    TRUSTED_PROXIES: '127.0.0.1',
  });
  users = new ConsoleUsers(service, (await service.openAccount(0)).account_id);
});
afterAll(() => service?.stop());

/** @param address that a trusted proxy names as the client's */
function send(address: string, path: string, body: unknown) {
  return new ConsoleClient(service).request('POST', path, body, { 'x-forwarded-for': address });
}

const signIn = async (address: string, email: string, password: string) =>
  (await send(address, 'sign-in', { email, password })).status;

describe('guesses from one address', () => {
  it('are limited whoever they are about, and another address still signs in', async () => {
    await users.createWithPassword('right@guessing.example.org');
    const statuses: number[] = [];
    for (let guess = 0; guess <= ATTEMPTS_PER_ADDRESS; guess += 1)
      statuses.push(await signIn('203.0.113.1', `user-${guess}@guessing.example.org`, 'a wrong password'));
    expect(statuses).toEqual([...Array.from({ length: ATTEMPTS_PER_ADDRESS }, () => 401), 429]);
    expect(await signIn('203.0.113.1', 'right@guessing.example.org', PASSWORD)).toBe(429);
    expect(await signIn('203.0.113.2', 'right@guessing.example.org', PASSWORD)).toBe(200);
  });

  it('above its limit are not counted for the user, who signs in from another address', async () => {
    const email = 'victim@guessing.example.org';
    await users.createWithPassword(email);
    for (let guess = 0; guess < ATTEMPTS_PER_ADDRESS; guess += 1)
      await signIn('203.0.113.3', `other-${guess}@guessing.example.org`, 'a wrong password');
    for (let guess = 0; guess <= ATTEMPTS_PER_USER; guess += 1)
      expect(await signIn('203.0.113.3', email, 'a wrong password')).toBe(429);
    expect(await signIn('203.0.113.4', email, PASSWORD)).toBe(200);
  });

  it('do not keep a user out who signs in with a link', async () => {
    const email = 'linked@guessing.example.org';
    const link = await users.createByRows(email);
    for (let guess = 0; guess <= ATTEMPTS_PER_USER; guess += 1)
      await signIn('203.0.113.5', email, 'a wrong password');
    expect(await signIn('203.0.113.6', email, 'a wrong password')).toBe(429);
    const { status } = await send('203.0.113.6', 'sign-in/link', { token: link.split('#')[1] });
    expect(status).toBe(200);
  });

  it.each([
    ['codes', 'sign-in/second-factor', { challenge: 'x'.repeat(43), code: '000000' }, 401],
    ['forgotten passwords', 'sign-in/forgot-password', { email: 'x@guessing.example.org' }, 204],
    ['command lines', 'command-line/start', { machine: 'laptop' }, 200],
    ['codes of command lines', 'command-line/poll', { device_code: 'x'.repeat(43) }, 200],
  ])('of %s count as the same attempts', async (name, path, body, expected) => {
    const address = `2001:db8:${name.length.toString(16)}::1`;
    for (let guess = 0; guess < ATTEMPTS_PER_ADDRESS; guess += 1)
      await signIn(address, `${name.length}-${guess}@guessing.example.org`, 'a wrong password');
    expect((await send(address, path, body)).status).toBe(429);
    expect((await send('203.0.113.7', path, body)).status).toBe(expected);
  });
});

describe('guesses of codes', () => {
  it('are limited in a day, also slow ones, and each is an event of the user', async () => {
    const email = 'slow@guessing.example.org';
    const browser = await users.createWithPassword(email);
    const { secret } = await enableSecondFactor(browser);
    const start = async () =>
      (await send('203.0.113.20', 'sign-in', { email, password: PASSWORD })).body.challenge;
    const enter = (challenge: unknown, code: string) =>
      send('203.0.113.20', 'sign-in/second-factor', { challenge, code });
    const challenge = await start();
    expect((await enter(challenge, 'wrong')).status).toBe(401);
    const { body } = await browser.request<{ events: { action: string }[] }>('GET', 'profile/events');
    expect(body.events[0]?.action).toBe('user.second_factor_rejected');
    // As 48 more within the day leave it.
    await service.query(
      `INSERT INTO audit_event (actor_kind, actor_id, action, details, at)
       SELECT actor_kind, actor_id, action, details, now() - interval '2 hours' FROM audit_event
       CROSS JOIN generate_series(1, 48) WHERE action = 'user.second_factor_rejected'
         AND actor_id = (SELECT id::text FROM app_user WHERE email = $1)`,
      [email],
    );
    expect((await enter(challenge, 'wrong')).status).toBe(401);
    const right = computeTotp(secret, Date.now() + 30_000);
    const limited = await enter(challenge, right);
    expect(limited).toMatchObject({ status: 429, body: { code: 'rate_limit_exceeded' } });
    expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(3_600);
    await service.query(
      `UPDATE audit_event SET at = at - interval '1 day' WHERE action = 'user.second_factor_rejected'`,
    );
    expect((await enter(challenge, right)).status).toBe(200);
  });
});
