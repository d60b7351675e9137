import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConsoleClient } from './support/console-client.js';
import { ConsoleUsers, PASSWORD } from './support/console-users.js';
import { Service } from './support/service.js';

let service: Service;
let users: ConsoleUsers;

beforeAll(async () => {
  service = await Service.start({ SIGN_IN_ATTEMPTS_PER_ADDRESS: '1000' });
  users = new ConsoleUsers(service, (await service.openAccount(0)).account_id);
});

afterAll(() => service?.stop());

describe('members of an account', () => {
  it('an invitation makes a new user a member, once', async () => {
    const owner = await users.createWithPassword('inviting@example.org');
    const invited = await owner.request('POST', 'invitations', { email: 'New@example.org', role: 'member' });
    expect(invited.status).toBe(201);
    const token = String(invited.body.link).split('#')[1];
    const browser = new ConsoleClient(service);
    const preview = await browser.request('POST', 'invitation/preview', { token });
    expect(preview.body).toEqual({ account: 'an organisation', email: 'new@example.org', role: 'member' });
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
    const owner = await users.createWithPassword('host@example.org');
    const { stdout } = await service.admin('accounts', 'create', 'second');
    const { account_id: second } = JSON.parse(stdout) as { account_id: string };
    await service.admin('users', 'role', 'host@example.org', '--account', second, '--role', 'owner');
    expect((await owner.request('PUT', 'session/account', { account_id: second })).status).toBe(204);
    const guest = await users.createWithPassword('guest@example.org', 'viewer');
    const other = await users.createWithPassword('other@example.org', 'viewer');
    const invited = await owner.request('POST', 'invitations', { email: 'guest@example.org', role: 'admin' });
    const token = String(invited.body.link).split('#')[1];
    const asNew = { token, name: 'x', password: PASSWORD };
    expect((await new ConsoleClient(service).request('POST', 'invitation/accept', asNew)).status).toBe(409);
    expect((await other.request('POST', 'invitation/accept', { token })).status).toBe(403);
    expect((await guest.request('POST', 'invitation/accept', { token })).status).toBe(200);
    expect((await guest.request('GET', 'session')).body).toMatchObject({
      account: { id: second, role: 'admin' },
    });
  });

  it('the last owner can neither leave nor change role, and admins cannot change owners', async () => {
    const { stdout } = await service.admin('accounts', 'create', 'owners');
    const { account_id } = JSON.parse(stdout) as { account_id: string };
    const owner = await users.createWithPassword('last@example.org', 'viewer');
    const admin = await users.createWithPassword('admin@example.org', 'viewer');
    await service.admin('users', 'role', 'last@example.org', '--account', account_id, '--role', 'owner');
    await service.admin('users', 'role', 'admin@example.org', '--account', account_id, '--role', 'admin');
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
