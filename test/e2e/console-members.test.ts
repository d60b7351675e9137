import { beforeAll, describe, expect, it } from 'vitest';
import { ConsoleClient } from './support/console-client.js';
import { ConsoleUsers, PASSWORD } from './support/console-users.js';
import type { RunningService } from './support/running-service.js';
import { useSharedService } from './support/shared-service.js';

let service: RunningService;
let users: ConsoleUsers;

beforeAll(async () => {
  service = await useSharedService();
  users = new ConsoleUsers(service, (await service.openAccount(0)).account_id);
});

describe('members of an account', () => {
  it('an invitation makes a new user a member, once', async () => {
    const owner = await users.createWithPassword('inviting@members.example.org');
    const invited = await owner.request('POST', 'invitations', {
      email: 'New@members.example.org',
      role: 'member',
    });
    expect(invited.status).toBe(200);
    const token = String(invited.body.link).split('#')[1];
    const browser = new ConsoleClient(service);
    const preview = await browser.request('POST', 'invitation/preview', { token });
    expect(preview.body).toEqual({
      account: 'an organisation',
      email: 'new@members.example.org',
      role: 'member',
    });
    const accepted = await browser.request('POST', 'invitation/accept', {
      token,
      name: 'New',
      password: PASSWORD,
    });
    expect(accepted.status).toBe(200);
    expect((await browser.request('GET', 'session')).body).toMatchObject({ account: { role: 'member' } });
    const repeated = { token, name: 'New', password: PASSWORD };
    expect((await new ConsoleClient(service).request('POST', 'invitation/accept', repeated)).status).toBe(
      404,
    );
    expect((await browser.request('GET', 'invitations')).status).toBe(403);
  });

  it('an invitation of a user who exists is accepted by that user only', async () => {
    const owner = await users.createWithPassword('host@members.example.org');
    const { stdout } = await service.admin('accounts', 'create', 'second');
    const { account_id: second } = JSON.parse(stdout) as { account_id: string };
    await service.admin('users', 'role', 'host@members.example.org', '--account', second, '--role', 'owner');
    expect((await owner.request('PUT', 'session/account', { account_id: second })).status).toBe(204);
    const guest = await users.createWithPassword('guest@members.example.org', 'viewer');
    const other = await users.createWithPassword('other@members.example.org', 'viewer');
    const invited = await owner.request('POST', 'invitations', {
      email: 'guest@members.example.org',
      role: 'admin',
    });
    const token = String(invited.body.link).split('#')[1];
    const asNew = { token, name: 'x', password: PASSWORD };
    const withWeakPassword = { ...asNew, password: 'short' };
    const unknown = await owner.request('POST', 'invitations', {
      email: 'unknown@members.example.org',
      role: 'viewer',
    });
    const unknownToken = String(unknown.body.link).split('#')[1];
    for (const probed of [token, unknownToken])
      expect(
        (
          await new ConsoleClient(service).request('POST', 'invitation/accept', {
            ...withWeakPassword,
            token: probed,
          })
        ).status,
      ).toBe(422);
    expect((await new ConsoleClient(service).request('POST', 'invitation/accept', asNew)).status).toBe(409);
    expect((await other.request('POST', 'invitation/accept', { token })).status).toBe(403);
    expect((await guest.request('POST', 'invitation/accept', { token })).status).toBe(200);
    expect((await guest.request('GET', 'session')).body).toMatchObject({
      account: { id: second, role: 'admin' },
    });
  });

  it('a page that shows another account than the session neither reads nor changes anything', async () => {
    const email = 'two-tabs@members.example.org';
    const owner = await users.createWithPassword(email);
    const { account_id: second } = await service.openAccount(0);
    await service.admin('users', 'role', email, '--account', second, '--role', 'owner');
    expect((await owner.request('PUT', 'session/account', { account_id: second })).status).toBe(204);
    const oldTab = { 'x-console-account': users.accountId };
    for (const [method, path, body] of [
      ['GET', 'keys'],
      ['GET', 'jobs'],
      ['POST', 'keys', { name: 'made in an old tab' }],
      ['PUT', 'account', { name: 'renamed in an old tab' }],
    ] as const)
      expect(await owner.request(method, path, body, oldTab), `${method} ${path}`).toMatchObject({
        status: 409,
        body: { code: 'account_switched' },
      });
    expect((await owner.request('GET', 'session', undefined, oldTab)).body).toMatchObject({
      account: { id: second, name: 'an organisation' },
    });
    const { body } = await owner.request('GET', 'keys', undefined, { 'x-console-account': second });
    expect(body.keys).toMatchObject([{ name: 'first key' }]);
  });

  it('who have left are former members, without name and address, wherever rows name who made them', async () => {
    const own = new ConsoleUsers(service, (await service.openAccount(10)).account_id);
    const owner = await own.createWithPassword('stays@members.example.org');
    const leaver = await own.createWithPassword('leaver@members.example.org', 'admin');
    const { body: key } = await leaver.request('POST', 'keys', { name: 'of the leaver' });
    const wish = { key_id: key.id, limit: 'upload', requests_per_minute: 500, reason: 'more' };
    expect((await leaver.request('POST', 'limit-requests', wish)).status).toBe(200);
    const { body: job } = await leaver.request('POST', 'upload', { file_size: 1 });
    const read = async () => [
      (await owner.request<{ keys: object[] }>('GET', 'keys')).body.keys[0],
      (await owner.request<{ jobs: object[] }>('GET', 'jobs')).body.jobs[0],
      (await owner.request('GET', `jobs/${String(job.job_id)}`)).body,
    ];
    const { body: session } = await leaver.request<{ user: { id: string } }>('GET', 'session');
    const { id } = session.user;
    for (const row of await read())
      expect(row).toMatchObject({ created_by: { id, email: 'leaver@members.example.org' } });
    expect((await leaver.request('POST', 'members/leave')).status).toBe(204);
    const former = { id, name: 'Former member', email: '' };
    for (const row of await read()) expect(row).toMatchObject({ created_by: former });
    expect((await owner.request('GET', 'limit-requests')).body).toMatchObject({
      requests: [{ requested_by: former }],
    });
  });

  it('an open invitation as owner of an owner who becomes an admin is void, and the others stay', async () => {
    const { account_id } = await service.openAccount(0);
    const own = new ConsoleUsers(service, account_id);
    const owner = await own.createWithPassword('staying@members.example.org');
    const other = await own.createWithPassword('stepping-down@members.example.org');
    for (const role of ['owner', 'viewer']) {
      const invited = { email: `${role}-again@members.example.org`, role };
      expect((await other.request('POST', 'invitations', invited)).status).toBe(200);
    }
    const { body: session } = await other.request<{ user: { id: string } }>('GET', 'session');
    await owner.request('PUT', `members/${session.user.id}/role`, { role: 'admin' });
    expect((await owner.request('GET', 'invitations')).body).toMatchObject({
      invitations: [{ email: 'viewer-again@members.example.org' }],
    });
  });

  it('open invitations of who is removed, or may invite no more, are void', async () => {
    const { account_id } = await service.openAccount(0);
    const own = new ConsoleUsers(service, account_id);
    const owner = await own.createWithPassword('removing@members.example.org');
    const ids = new Map<string, string>();
    const tokens: unknown[] = [];
    for (const name of ['removed', 'demoted']) {
      const admin = await own.createWithPassword(`${name}@members.example.org`, 'admin');
      const { body: session } = await admin.request<{ user: { id: string } }>('GET', 'session');
      ids.set(name, session.user.id);
      const invited = { email: `${name}-again@members.example.org`, role: 'admin' };
      tokens.push(String((await admin.request('POST', 'invitations', invited)).body.link).split('#')[1]);
    }
    await owner.request('DELETE', `members/${ids.get('removed')}`);
    await owner.request('PUT', `members/${ids.get('demoted')}/role`, { role: 'member' });
    expect((await owner.request('GET', 'invitations')).body).toEqual({ invitations: [] });
    for (const token of tokens)
      expect((await new ConsoleClient(service).request('POST', 'invitation/preview', { token })).status).toBe(
        404,
      );
    expect((await owner.request('GET', 'audit?action=member.')).body.events).toMatchObject([
      { action: 'member.role_changed', details: { invitations_revoked: 1 } },
      { action: 'member.removed', details: { invitations_revoked: 1 } },
    ]);
  });

  it('the last owner can neither leave nor change role, and admins cannot change owners', async () => {
    const { stdout } = await service.admin('accounts', 'create', 'owners');
    const { account_id } = JSON.parse(stdout) as { account_id: string };
    const owner = await users.createWithPassword('last@members.example.org', 'viewer');
    const admin = await users.createWithPassword('admin@members.example.org', 'viewer');
    await service.admin(
      'users',
      'role',
      'last@members.example.org',
      '--account',
      account_id,
      '--role',
      'owner',
    );
    await service.admin(
      'users',
      'role',
      'admin@members.example.org',
      '--account',
      account_id,
      '--role',
      'admin',
    );
    for (const browser of [owner, admin]) await browser.request('PUT', 'session/account', { account_id });
    const { body } = await owner.request<{ members: { user_id: string; role: string }[] }>('GET', 'members');
    const [ownerId, adminId] = body.members.map(({ user_id }) => user_id);
    expect((await owner.request('POST', 'members/leave')).status).toBe(409);
    expect((await owner.request('PUT', `members/${ownerId}/role`, { role: 'viewer' })).status).toBe(409);
    expect((await admin.request('PUT', `members/${ownerId}/role`, { role: 'viewer' })).status).toBe(403);
    expect((await admin.request('DELETE', `members/${ownerId}`)).status).toBe(403);
    expect((await admin.request('PUT', `members/${adminId}/role`, { role: 'owner' })).status).toBe(403);
    expect((await owner.request('PUT', `members/${adminId}/role`, { role: 'owner' })).status).toBe(204);
    expect((await owner.request('POST', 'members/leave')).status).toBe(204);
    expect((await owner.request('GET', 'members')).status).toBe(403);
    const audit = await admin.request<{ events: { action: string }[] }>('GET', 'audit?action=member.');
    expect(audit.body.events.map(({ action }) => action)).toEqual([
      'member.left',
      'member.role_changed',
      'member.added',
      'member.added',
    ]);
  });
});
