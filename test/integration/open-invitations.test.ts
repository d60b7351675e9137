import {
  BreachedPasswords,
  Invitations,
  Memberships,
  purgeExpiredAuthRecords,
  Sessions,
  Users,
} from '@app/auth';
import { inTransaction, Invitation, Membership, User } from '@app/database';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { hashSecretToken } from '../../libs/auth/src/people/secret-token.js';
import { createJobWorld, type World } from '../support/job-world.js';

const CLIENT = { address: null, userAgent: null };
const OPERATOR = { kind: 'operator', id: null, name: 'ops', address: null, requestId: null } as const;

let world: World;
let users: Users;
let invitations: Invitations;
let userId: string;
let accountId: string;

beforeAll(async () => {
  world = await createJobWorld();
  const sessions = new Sessions(world.dataSource, { lifetimeSeconds: 600, idleSeconds: 600 });
  users = new Users(world.dataSource, sessions, new BreachedPasswords(null));
  const unused = undefined as never;
  invitations = new Invitations(world.dataSource, users, new Memberships(world.dataSource), unused, unused);
});
afterAll(() => world.close());

beforeEach(async () => {
  [userId, accountId] = [crypto.randomUUID(), await world.newAccount()];
  const { manager } = world.dataSource;
  await manager.insert(User, {
    id: userId,
    email: `${userId}@example.org`,
    name: 'Vera',
    isAddressProved: true,
  });
  await manager.insert(Membership, { userId, accountId, role: 'owner' });
});

const actor = () => ({ ...OPERATOR, kind: 'user', id: userId }) as const;
const invite = (email: string, account = accountId) =>
  invitations.create({ accountId: account, email, role: 'admin' }, actor());

describe('open invitations', () => {
  it('end when the user who made them is disabled, and stay ended when the user is enabled', async () => {
    const { token } = await invite('again@example.org');
    const other = await invitations.create({ accountId, email: 'b@example.org', role: 'admin' }, OPERATOR);
    const setDisabled = (disabled: boolean) =>
      inTransaction(world.dataSource, (tx) => users.setDisabled(tx, OPERATOR, userId, disabled));
    await setDisabled(true);
    await expect(invitations.getOpen(token)).rejects.toMatchObject({ code: 'no_such_resource' });
    await setDisabled(false);
    await expect(invitations.getOpen(token)).rejects.toMatchObject({ code: 'no_such_resource' });
    expect(await invitations.listOpen(accountId)).toMatchObject([{ id: other.id }]);
    const [event] = await world.rows(
      `SELECT details FROM audit_event WHERE action = 'user.disabled' AND details::text LIKE '%revoked%' AND account_id = $1`,
      accountId,
    );
    expect(event).toMatchObject({ details: { invitations_revoked: 1 } });
  });

  it('are at most a thousand of an account, beside those of addresses that are invited again', async () => {
    await invite('again@example.org');
    await world.rows(
      `INSERT INTO invitation (id, account_id, email, role, token_hash, expires_at)
       SELECT gen_random_uuid(), $1, n || '@example.org', 'member', sha256(n::text::bytea), now() + interval '1 day'
       FROM generate_series(2, 1000) n`,
      accountId,
    );
    await expect(invite('more@example.org')).rejects.toMatchObject({ code: 'conflict' });
    const { id } = await invite('again@example.org');
    await invitations.revoke(accountId, id, OPERATOR);
    await invite('more@example.org');
  });

  it('of all accounts are mailed to an address five times in an hour, also if they are withdrawn', async () => {
    const email = `${crypto.randomUUID()}@example.org`;
    const accounts = [accountId, await world.newAccount()];
    const { manager } = world.dataSource;
    await manager.insert(Membership, { userId, accountId: accounts[1] ?? '', role: 'admin' });
    const mayMailAnother = async (to: string): Promise<boolean> =>
      invitations.reserveMail((await invite(to)).id, to);
    for (let count = 0; count < 5; count += 1) {
      const account = accounts[count % 2] ?? '';
      const { id } = await invite(email, account);
      expect(await invitations.reserveMail(id, email.toUpperCase())).toBe(true);
      if (count === 2) await invitations.revoke(account, id, actor());
    }
    expect(await mayMailAnother(email)).toBe(false);
    expect(await mayMailAnother(`other-${email}`)).toBe(true);
    await manager.update(Invitation, { email }, { createdAt: () => `now() - interval '61 minutes'` });
    expect(await mayMailAnother(email)).toBe(true);
  });

  it('that are mailed at the same moment are counted exactly', async () => {
    const email = `${crypto.randomUUID()}@example.org`;
    const reserved = await Promise.all(
      Array.from({ length: 12 }, async () => invitations.reserveMail((await invite(email)).id, email)),
    );
    expect(reserved.filter((granted) => granted)).toHaveLength(5);
  });

  it('that the mail server refused do not count', async () => {
    const email = `${crypto.randomUUID()}@example.org`;
    for (let count = 0; count < 6; count += 1) {
      const { id } = await invite(email);
      expect(await invitations.reserveMail(id, email)).toBe(true);
      await invitations.releaseMail(id);
    }
    const [{ marked } = { marked: null }] = await world.rows<{ marked: boolean }>(
      'SELECT bool_or(is_mailed) AS marked FROM invitation WHERE email = $1',
      email,
    );
    expect(marked).toBe(false);
  });

  it('that were withdrawn are deleted when they count no more', async () => {
    const { id } = await invite('withdrawn@example.org');
    await invitations.revoke(accountId, id, actor());
    const { manager } = world.dataSource;
    await purgeExpiredAuthRecords(world.dataSource);
    expect(await manager.existsBy(Invitation, { id })).toBe(true);
    await manager.update(Invitation, { id }, { expiresAt: () => `now() - interval '61 minutes'` });
    await purgeExpiredAuthRecords(world.dataSource);
    expect(await manager.existsBy(Invitation, { id })).toBe(false);
  });

  it.each([
    ['withdrawn', (id: string) => invitations.revoke(accountId, id, actor())],
    ['replaced', (_: string, email: string) => invite(email)],
  ])('that are %s while they are accepted make nobody a member', async (_, end) => {
    const email = `${crypto.randomUUID()}@example.org`;
    const { id } = await invite(email);
    const create = vi.spyOn(users, 'create').mockImplementationOnce(async (...given) => {
      await end(id, email);
      return users.create(...given);
    });
    const accepted = inTransaction(world.dataSource, (tx) =>
      invitations.acceptForVerifiedAddress(tx, { email, name: 'Guest', linkHash: null }, CLIENT),
    );
    await expect(accepted).rejects.toMatchObject({ code: 'conflict' });
    create.mockRestore();
    expect(await users.findByEmail(email)).toBeNull();
  });

  it('of several accounts make a person who has proved the address a member of the one whose link was opened', async () => {
    const email = `${crypto.randomUUID()}@example.org`;
    const accept = (token: string | null) =>
      inTransaction(world.dataSource, (tx) => {
        const linkHash = token === null ? null : hashSecretToken(token);
        return invitations.acceptForVerifiedAddress(tx, { email, name: 'Guest', linkHash }, CLIENT);
      });
    const other = await world.newAccount();
    await invitations.create({ accountId: other, email, role: 'viewer' }, OPERATOR);
    const { token } = await invite(email);
    const ofSomebodyElse = await invite(`${crypto.randomUUID()}@example.org`);
    for (const opened of [null, ofSomebodyElse.token])
      expect(await accept(opened)).toEqual({ state: 'rejected', reason: 'several_invitations' });
    expect(await users.findByEmail(email)).toBeNull();
    const accepted = await accept(token);
    expect(accepted).toMatchObject({ state: 'accepted' });
    const user = await users.findByEmail(email);
    expect(await world.dataSource.manager.findBy(Membership, { userId: user?.id ?? '' })).toMatchObject([
      { accountId, role: 'admin' },
    ]);
    expect(await invitations.listOpen(other)).toMatchObject([{ email }]);
  });

  it('of another address or none do not keep the only one from being accepted', async () => {
    const email = `${crypto.randomUUID()}@example.org`;
    await invite(email);
    const { token } = await invite(`${crypto.randomUUID()}@example.org`);
    const accepted = await inTransaction(world.dataSource, (tx) =>
      invitations.acceptForVerifiedAddress(tx, { email, name: '', linkHash: hashSecretToken(token) }, CLIENT),
    );
    expect(accepted).toMatchObject({ state: 'accepted' });
  });
});
