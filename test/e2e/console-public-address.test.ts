import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConsoleClient } from './support/console-client.js';
import { ConsoleUsers, PASSWORD } from './support/console-users.js';
import { Service } from './support/service.js';
import { enableSecondFactor } from './support/totp.js';

const ORIGIN = 'https://speech.example.org';
const CONFIRM = { current_password: PASSWORD };
const BLOCKED = { status: 403, body: { code: 'two_factors_required' } };

let service: Service;
let users: ConsoleUsers;
let apiKey: string;

beforeAll(async () => {
  service = await Service.start({ PUBLIC_URL: ORIGIN, SIGN_IN_ATTEMPTS_PER_ADDRESS: '1000' });
  const account = await service.openAccount(0);
  apiKey = account.api_key;
  users = new ConsoleUsers(service, account.account_id, ORIGIN);
});
afterAll(() => service?.stop());

const listJobs = (browser: ConsoleClient) => browser.request('GET', 'jobs');

describe('at an address that strangers reach, by default', () => {
  it.each(['owner', 'admin', 'member', 'viewer'])('an %s needs two factors', async (role) => {
    const email = `${role}@public.example.org`;
    const browser = await users.createWithPassword(email, role);
    expect(await listJobs(browser)).toMatchObject(BLOCKED);
    expect((await browser.request('GET', 'session')).body).toMatchObject({
      two_factors: false,
      account: { two_factors_required_by: 'service', permissions: [] },
    });
    await enableSecondFactor(browser);
    expect((await listJobs(browser)).status).toBe(200);
    expect((await browser.request('GET', 'account')).body).toMatchObject({
      requires_two_factors: false,
      service_requires_two_factors: true,
    });
    const other = new ConsoleClient(service, ORIGIN);
    const { body } = await other.request('POST', 'sign-in', { email, password: PASSWORD });
    expect(body).toEqual({ state: 'second_factor', challenge: expect.any(String) });
    expect((await listJobs(other)).status).toBe(401);
  });

  it('an account cannot choose otherwise, and the last factor stays', async () => {
    const browser = await users.createWithPassword('chooses@public.example.org');
    await enableSecondFactor(browser);
    expect((await browser.request('PUT', 'account/two-factors', { required: false })).status).toBe(204);
    const last = await browser.request('DELETE', 'profile/second-factor', CONFIRM);
    expect(last).toMatchObject({ status: 409, body: { code: 'conflict' } });
    expect(last.body.detail).toContain('This service requires two factors');
    const member = await users.createWithPassword('later@public.example.org', 'member');
    expect(await listJobs(member)).toMatchObject(BLOCKED);
  });

  it('somebody who knows only a password adds no factor to those that the user has', async () => {
    const email = 'thief@public.example.org';
    const browser = await users.createWithPassword(email);
    await enableSecondFactor(browser);
    // As a sign-in through a provider with one factor leaves it.
    await service.query(
      `UPDATE user_session SET two_factors = false FROM app_user
       WHERE app_user.id = user_session.user_id AND email = $1`,
      [email],
    );
    expect(await browser.request('POST', 'profile/passkeys/options', CONFIRM)).toMatchObject(BLOCKED);
    expect(await browser.request('POST', 'profile/second-factor', CONFIRM)).toMatchObject(BLOCKED);
  });

  it('API keys work as before', async () => {
    const answer = await fetch(`${service.baseUrl}/api/v1/jobs`, { headers: { 'x-api-key': apiKey } });
    expect(answer.status).toBe(200);
  });
});
