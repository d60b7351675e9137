import { createHash, randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { ConsoleClient } from './support/console-client.js';
import { ConsoleUsers, PASSWORD } from './support/console-users.js';
import type { RunningService } from './support/running-service.js';
import { useSharedService } from './support/shared-service.js';
import { computeTotp, enableSecondFactor } from './support/totp.js';

const NEW_PASSWORD = 'amber lantern 31';

let service: RunningService;
let users: ConsoleUsers;

beforeAll(async () => {
  service = await useSharedService();
  users = new ConsoleUsers(service, (await service.openAccount(0)).account_id);
});

/** As `users link` makes it. @param seconds from now to its expiry */
async function createLinkToken(
  email: string,
  purpose: 'sign_in' | 'set_password',
  seconds = 3600,
): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  await service.query(
    `INSERT INTO sign_in_link (token_hash, user_id, purpose, expires_at)
     SELECT $2, id, $3, now() + $4 * interval '1 second' FROM app_user WHERE email = $1`,
    [email, createHash('sha256').update(token).digest(), purpose, seconds],
  );
  return token;
}

const signIn = async (token: string) =>
  (await new ConsoleClient(service).request('POST', 'sign-in/link', { token })).status;
const setPassword = async (token: string) =>
  (
    await new ConsoleClient(service).request('POST', 'sign-in/set-password', {
      token,
      password: NEW_PASSWORD,
    })
  ).status;

describe('a link', () => {
  it('that has expired signs nobody in and sets no password', async () => {
    const email = 'expired@links.example.org';
    await users.createWithPassword(email);
    expect(await signIn(await createLinkToken(email, 'sign_in', -1))).toBe(401);
    expect(await setPassword(await createLinkToken(email, 'set_password', -1))).toBe(401);
    expect(await signIn(await createLinkToken(email, 'sign_in', 60))).toBe(200);
  });

  it('of one purpose is of no use for the other, and stays', async () => {
    const email = 'purpose@links.example.org';
    await users.createWithPassword(email);
    const forSignIn = await createLinkToken(email, 'sign_in');
    expect(await setPassword(forSignIn)).toBe(401);
    expect(await signIn(forSignIn)).toBe(200);
    const forPassword = await createLinkToken(email, 'set_password');
    expect(await signIn(forPassword)).toBe(401);
    expect(await setPassword(forPassword)).toBe(204);
  });

  it('is made by the operator for a day', async () => {
    await users.create('day@links.example.org');
    const [row] = await service.query(
      `SELECT round(extract(epoch FROM expires_at - now()) / 3600)::int AS hours FROM sign_in_link
       JOIN app_user ON app_user.id = user_id WHERE email = 'day@links.example.org'`,
    );
    expect(row).toEqual({ hours: 24 });
  });

  it('is void after a new password, as are other links of the user and sign-ins that wait for a code', async () => {
    const email = 'voids@links.example.org';
    const browser = await users.createWithPassword(email);
    const { secret } = await enableSecondFactor(browser);
    const other = new ConsoleClient(service);
    const { body: started } = await other.request('POST', 'sign-in', { email, password: PASSWORD });
    expect(started).toMatchObject({ state: 'second_factor' });
    const tokens = [await createLinkToken(email, 'sign_in'), await createLinkToken(email, 'set_password')];
    const change = { current_password: PASSWORD, password: NEW_PASSWORD };
    expect((await browser.request('PUT', 'profile/password', change)).status).toBe(204);
    const code = computeTotp(secret, Date.now() + 30_000);
    const answer = { challenge: started.challenge, code };
    expect((await other.request('POST', 'sign-in/second-factor', answer)).status).toBe(401);
    expect(await signIn(tokens[0] ?? '')).toBe(401);
    expect(await setPassword(tokens[1] ?? '')).toBe(401);
    expect((await browser.request('GET', 'session')).status).toBe(200);
  });

  it('of a user who was disabled meanwhile does not work after the user is enabled again', async () => {
    const email = 'disabled@links.example.org';
    await users.createWithPassword(email);
    const token = await createLinkToken(email, 'sign_in');
    await service.admin('users', 'disable', email);
    expect(await signIn(token)).toBe(401);
    await service.admin('users', 'enable', email);
    expect(await signIn(token)).toBe(401);
    expect(await signIn(await createLinkToken(email, 'sign_in'))).toBe(200);
  });
});
