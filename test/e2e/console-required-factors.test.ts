import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { ConsoleClient } from './support/console-client.js';
import { ConsoleUsers, PASSWORD } from './support/console-users.js';
import type { RunningService } from './support/running-service.js';
import { useSharedService } from './support/shared-service.js';
import { computeTotp, enableSecondFactor } from './support/totp.js';

const BLOCKED = { status: 403, body: { code: 'two_factors_required' } };

let service: RunningService;
let users: ConsoleUsers;

beforeAll(async () => {
  service = await useSharedService();
  users = new ConsoleUsers(service, (await service.openAccount(0)).account_id);
  await requireTwoFactors(users);
});

async function requireTwoFactors({ accountId }: ConsoleUsers): Promise<void> {
  await service.query('UPDATE account SET requires_two_factors = true WHERE id = $1', [accountId]);
}

async function addMember() {
  const email = `${randomUUID()}@required-factors.example.org`;
  return { email, browser: await users.createWithPassword(email, 'member') };
}

const listJobs = (browser: ConsoleClient) => browser.request('GET', 'jobs');

describe('an account that requires two factors', () => {
  it('the app of a user is replaced in one step, and counts until the new one has shown a code', async () => {
    const { email, browser } = await addMember();
    const { secret: old } = await enableSecondFactor(browser);
    const enroll = () =>
      browser.request<{ secret: string }>('POST', 'profile/second-factor', { current_password: PASSWORD });
    const enable = (code: string) => browser.request('POST', 'profile/second-factor/enable', { code });
    const unconfirmed = await browser.request('POST', 'profile/second-factor', { current_password: 'wrong' });
    expect(unconfirmed).toMatchObject({ status: 422, body: { errors: [{ field: 'current_password' }] } });
    const { body } = await enroll();
    expect(body.secret).not.toBe(old);
    const refused = await enable(computeTotp(old, Date.now() + 30_000));
    expect(refused).toMatchObject({ status: 422, body: { errors: [{ field: 'code' }] } });

    const signInWithCode = async (code: string) => {
      const other = new ConsoleClient(service);
      const first = await other.request('POST', 'sign-in', { email, password: PASSWORD });
      const { challenge } = first.body;
      return { other, answer: await other.request('POST', 'sign-in/second-factor', { challenge, code }) };
    };
    expect((await signInWithCode(computeTotp(body.secret, Date.now()))).answer.status).toBe(401);
    const { other, answer } = await signInWithCode(computeTotp(old, Date.now() + 30_000));
    expect(answer.status).toBe(200);

    expect(await enable(computeTotp(body.secret, Date.now()))).toMatchObject({
      status: 200,
      body: { recovery_codes: expect.objectContaining({ length: 10 }) },
    });
    expect((await listJobs(browser)).status).toBe(200);
    expect((await listJobs(other)).status, 'a session from before').toBe(401);
    expect((await enable(computeTotp(body.secret, Date.now() + 30_000))).status, 'once').toBe(422);
    expect((await signInWithCode(computeTotp(old, Date.now()))).answer.status).toBe(401);
    const withNew = await signInWithCode(computeTotp(body.secret, Date.now() + 30_000));
    expect(withNew.answer.status).toBe(200);
    expect((await listJobs(withNew.other)).status).toBe(200);
    const events = await browser.request<{ events: { action: string }[] }>('GET', 'profile/events');
    expect(events.body.events.map(({ action }) => action)).toContain('user.second_factor_replaced');
  });

  it('is left by a member without a second factor, unless it is the last owner', async () => {
    const { browser } = await addMember();
    expect(await listJobs(browser)).toMatchObject(BLOCKED);
    const leave = (client: ConsoleClient, headers = {}) =>
      client.request('POST', 'members/leave', {}, headers);
    expect(await leave(browser, { 'x-console-account': randomUUID() })).toMatchObject({ status: 409 });
    expect((await leave(browser)).status).toBe(204);
    expect((await browser.request('GET', 'session')).body).toMatchObject({ account: null });
    expect(await leave(browser)).toMatchObject({ status: 403, body: { code: 'permission_denied' } });

    const alone = new ConsoleUsers(service, (await service.openAccount(0)).account_id);
    const owner = await alone.createWithPassword(`${randomUUID()}@required-factors.example.org`);
    await requireTwoFactors(alone);
    expect(await leave(owner)).toMatchObject({ status: 409, body: { code: 'conflict' } });
  });
});
