import { beforeAll, describe, expect, it } from 'vitest';
import { ConsoleClient } from './support/console-client.js';
import { ConsoleUsers, PASSWORD } from './support/console-users.js';
import type { RunningService } from './support/running-service.js';
import { useSharedService } from './support/shared-service.js';
import { computeTotp, enableSecondFactor } from './support/totp.js';

let service: RunningService;
let users: ConsoleUsers;

beforeAll(async () => {
  service = await useSharedService();
  users = new ConsoleUsers(service, (await service.openAccount(0)).account_id);
});
describe('a signed-in user', () => {
  async function signInTwice(email: string): Promise<[ConsoleClient, ConsoleClient]> {
    const other = new ConsoleClient(service);
    const first = await users.createWithPassword(email);
    await other.request('POST', 'sign-in', { email, password: PASSWORD });
    return [first, other];
  }
  const statusOf = async (browser: ConsoleClient) => (await browser.request('GET', 'session')).status;

  it('ends one or all other sessions with the password only, and the audit log has it', async () => {
    const [first, other] = await signInTwice('sessions@profile.example.org');
    const { body } = await first.request<{ sessions: { id: string; current: boolean }[] }>(
      'GET',
      'profile/sessions',
    );
    expect(body.sessions).toHaveLength(2);
    const path = `profile/sessions/${body.sessions.find(({ current }) => !current)?.id}`;
    const wrong = { current_password: 'not the password' };
    expect((await first.request('DELETE', path, {})).status).toBe(422);
    expect((await first.request('POST', 'profile/sessions/end-others', wrong)).status).toBe(422);
    expect(await statusOf(other)).toBe(200);
    expect((await first.request('DELETE', path, { current_password: PASSWORD })).status).toBe(204);
    expect(await statusOf(other)).toBe(401);
    const third = new ConsoleClient(service);
    await third.request('POST', 'sign-in', { email: 'sessions@profile.example.org', password: PASSWORD });
    const ended = await first.request('POST', 'profile/sessions/end-others', { current_password: PASSWORD });
    expect(ended).toMatchObject({ status: 200, body: { ended: 1 } });
    expect([await statusOf(first), await statusOf(third)]).toEqual([200, 401]);
    const actor = 'user sessions@profile.example.org';
    for (const action of ['user.session_ended', 'user.sessions_ended']) {
      const events = await service.adminJson<{ actor: string }[]>('audit', '--action', action, '--json');
      // Other test files of the same service end sessions, too.
      expect(
        events.filter((event) => event.actor === actor),
        action,
      ).toHaveLength(1);
    }
  });

  it('changes the name that the members of the account see', async () => {
    const [browser] = await signInTwice('named@profile.example.org');
    for (const name of ['', '  ', 'a'.repeat(201), 'a\nb', 7])
      expect(await browser.request('PUT', 'profile/name', { name })).toMatchObject({
        status: 422,
        body: { errors: [{ field: 'name' }] },
      });
    expect((await browser.request('PUT', 'profile/name', { name: ' Ada Lovelace ' })).status).toBe(204);
    expect((await browser.request('GET', 'session')).body).toMatchObject({ user: { name: 'Ada Lovelace' } });
    const { body } = await browser.request<{ members: object[] }>('GET', 'members');
    expect(body.members).toContainEqual(
      expect.objectContaining({ email: 'named@profile.example.org', name: 'Ada Lovelace' }),
    );
    expect(
      (await browser.request<{ events: object[] }>('GET', 'profile/events')).body.events[0],
    ).toMatchObject({
      action: 'user.renamed',
      details: { from: 'named@profile.example.org', to: 'Ada Lovelace' },
    });
  });

  it('reads own sign-ins and changes, page by page, and nobody else does', async () => {
    const [first] = await signInTwice('events@profile.example.org');
    const [stranger] = await signInTwice('stranger@profile.example.org');
    const readEvents = async (browser: ConsoleClient, query = '') => {
      const { status, body } = await browser.request<{
        events: { id: number; action: string; actor: { id: string } }[];
        next_before: number | null;
      }>('GET', `profile/events${query}`);
      expect(status).toBe(200);
      return body;
    };
    const { events, next_before } = await readEvents(first);
    expect(events.slice(0, 2).map(({ action }) => action)).toEqual([
      'user.signed_in',
      'user.password_changed',
    ]);
    const { body: session } = await first.request<{ user: { id: string } }>('GET', 'session');
    expect(new Set(events.map(({ actor }) => actor.id))).toEqual(new Set([session.user.id]));
    expect(next_before).toBeNull();
    expect((await readEvents(first, `?before=${events[0]?.id}`)).events).toEqual(events.slice(1));
    const foreign = (await readEvents(stranger)).events;
    expect(foreign.some(({ actor }) => actor.id === session.user.id)).toBe(false);
    expect((await first.request('GET', 'profile/events?before=x')).status).toBe(422);
  });

  it('ends the other sessions by enabling and by disabling the second factor', async () => {
    const [first, other] = await signInTwice('factors@profile.example.org');
    const { secret } = await enableSecondFactor(first);
    expect([await statusOf(first), await statusOf(other)]).toEqual([200, 401]);
    const { body } = await other.request('POST', 'sign-in', {
      email: 'factors@profile.example.org',
      password: PASSWORD,
    });
    const code = computeTotp(secret, Date.now() + 30_000);
    const answer = { challenge: body.challenge, code };
    expect((await other.request('POST', 'sign-in/second-factor', answer)).status).toBe(200);
    const confirm = { current_password: PASSWORD };
    expect((await first.request('DELETE', 'profile/second-factor', confirm)).status).toBe(204);
    expect([await statusOf(first), await statusOf(other)]).toEqual([200, 401]);
  });

  it('cannot guess the password of the profile without limit', async () => {
    const browser = await users.createWithPassword('present@profile.example.org');
    const statuses: number[] = [];
    for (let guess = 0; guess < 11; guess += 1) {
      const change = { current_password: `wrong ${guess}`, password: 'amber lantern 31' };
      statuses.push((await browser.request('PUT', 'profile/password', change)).status);
    }
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 422), 429]);
  });
});
