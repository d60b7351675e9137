import {
  BreachedPasswords,
  type SessionWithUserAndRole,
  Sessions,
  UserReauthentication,
  Users,
} from '@app/auth';
import { inTransaction, Membership, User } from '@app/database';
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createJobWorld, type World } from '../support/job-world.js';

const LIFETIME_SECONDS = 7_200;
const IDLE_SECONDS = 3_600;
const CLIENT = { address: '203.0.113.7', userAgent: 'Browser' };

let world: World;
let sessions: Sessions;
let userId: string;

beforeAll(async () => {
  world = await createJobWorld();
  sessions = new Sessions(world.dataSource, {
    lifetimeSeconds: LIFETIME_SECONDS,
    idleSeconds: IDLE_SECONDS,
  });
  userId = crypto.randomUUID();
  await world.dataSource.manager.insert(User, { id: userId, email: 'olivia@example.org', name: 'Olivia' });
});
afterAll(() => world.close());

async function createSession(): Promise<{ token: string; session: SessionWithUserAndRole }> {
  const token = await sessions.create(world.dataSource.manager, { userId, hasTwoFactors: false }, CLIENT);
  const session = await sessions.findByToken(token);
  if (!session) throw new Error('The session was not created.');
  return { token, session };
}

const listIds = async () => (await sessions.list(userId)).map(({ id }) => id);

/** As if the last request was the given time ago. */
const idleFor = (seconds: number, { sessionId }: SessionWithUserAndRole) =>
  world.rows(
    `UPDATE user_session SET last_seen_at = now() - $2 * interval '1 second' WHERE id = $1`,
    sessionId,
    seconds,
  );

describe('a session', () => {
  it('ends when no request was made for its idle time, and a request begins that time anew', async () => {
    const { token, session } = await createSession();
    await idleFor(IDLE_SECONDS - 60, session);
    expect(await sessions.findByToken(token)).not.toBeNull();
    const [row] = await world.rows<{ idle: number }>(
      `SELECT extract(epoch FROM now() - last_seen_at)::float8 AS idle FROM user_session WHERE id = $1`,
      session.sessionId,
    );
    expect(row?.idle).toBeLessThan(IDLE_SECONDS - 60);
    expect(await listIds()).toContain(session.sessionId);
    await idleFor(IDLE_SECONDS + 1, session);
    expect(await sessions.findByToken(token)).toBeNull();
    expect(await listIds()).not.toContain(session.sessionId);
  });

  it('ends after its lifetime, however active', async () => {
    const { token, session } = await createSession();
    await world.rows(
      `UPDATE user_session SET expires_at = expires_at - $2 * interval '1 second' WHERE id = $1`,
      session.sessionId,
      LIFETIME_SECONDS,
    );
    expect(await sessions.findByToken(token)).toBeNull();
    expect(await listIds()).not.toContain(session.sessionId);
  });

  it('of a disabled user has ended, also one that began while the user was disabled', async () => {
    const { token, session } = await createSession();
    await world.rows('UPDATE app_user SET disabled_at = now() WHERE id = $1', userId);
    expect(await sessions.findByToken(token)).toBeNull();
    expect(await sessions.findAccess([session.sessionId])).toEqual([]);
    await world.rows('UPDATE app_user SET disabled_at = NULL WHERE id = $1', userId);
    expect(await sessions.findByToken(token)).not.toBeNull();
  });

  it('with one factor gives no access to an account that requires two', async () => {
    const accountId = await world.newAccount();
    await world.dataSource.manager.insert(Membership, { userId, accountId, role: 'member' });
    const { token, session } = await createSession();
    expect(await sessions.switchAccount(session.sessionId, accountId)).toBe(true);
    const access = { sessionId: session.sessionId, accountId, role: 'member' };
    expect(await sessions.findAccess([session.sessionId])).toEqual([access]);
    await world.rows('UPDATE account SET requires_two_factors = true WHERE id = $1', accountId);
    expect(await sessions.findByToken(token)).toMatchObject({
      twoFactorsRequiredBy: 'account',
      hasTwoFactors: false,
    });
    expect(await sessions.findAccess([session.sessionId])).toEqual([]);
    const renewed = await sessions.renewWithTwoFactors(world.dataSource.manager, session);
    expect(await sessions.findByToken(token)).toBeNull();
    expect(await sessions.findByToken(renewed)).toMatchObject({ accountId, hasTwoFactors: true });
    expect(await sessions.findAccess([session.sessionId])).toEqual([access]);
  });

  it('with one factor gives no access where the operator requires two of everybody', async () => {
    const accountId = await world.newAccount();
    await world.dataSource.manager.insert(Membership, { userId, accountId, role: 'member' });
    const strict = new Sessions(world.dataSource, {
      lifetimeSeconds: LIFETIME_SECONDS,
      idleSeconds: IDLE_SECONDS,
      requiresTwoFactors: true,
    });
    const { token, session } = await createSession();
    await sessions.switchAccount(session.sessionId, accountId);
    expect(await sessions.findAccess([session.sessionId])).toHaveLength(1);
    expect(await strict.findAccess([session.sessionId])).toEqual([]);
    expect(await strict.findByToken(token)).toMatchObject({
      twoFactorsRequiredBy: 'service',
      hasTwoFactors: false,
    });
    await strict.renewWithTwoFactors(world.dataSource.manager, session);
    expect(await strict.findAccess([session.sessionId])).toHaveLength(1);
  });

  it('above a hundred of one user ends the one that was used longest ago', async () => {
    const createUser = async () => {
      const id = crypto.randomUUID();
      await world.dataSource.manager.insert(User, { id, email: `${id}@example.org`, name: 'Many' });
      return id;
    };
    const create = (owner: string) =>
      sessions.create(world.dataSource.manager, { userId: owner, hasTwoFactors: false }, CLIENT);
    const [owner, stranger] = [await createUser(), await createUser()];
    const foreign = await create(stranger);
    const tokens: string[] = [];
    while (tokens.length < 100) tokens.push(await create(owner));
    const [first = '', oldest = ''] = tokens;
    const session = (await sessions.findByToken(oldest)) as SessionWithUserAndRole;
    await idleFor(60, session);
    tokens.push(await create(owner));
    expect(await sessions.list(owner)).toHaveLength(100);
    const isOpen = async (token: string) => (await sessions.findByToken(token)) !== null;
    const open = [oldest, first, tokens.at(-1) ?? '', foreign].map(isOpen);
    expect(await Promise.all(open)).toEqual([false, true, true, true]);
  });

  it('has a token of 256 random bits, and the database has its hash only', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0);
    const created = await Promise.all(Array.from({ length: 20 }, createSession));
    vi.restoreAllMocks();
    expect(new Set(created.map(({ token }) => token)).size).toBe(created.length);
    for (const { token, session } of created) {
      expect(Buffer.from(token, 'base64url')).toHaveLength(32);
      const [row] = await world.rows<Record<string, unknown>>(
        'SELECT * FROM user_session WHERE id = $1',
        session.sessionId,
      );
      expect(row?.['token_hash']).toEqual(createHash('sha256').update(token).digest());
      expect(Object.values(row ?? {})).not.toContain(token);
    }
  });

  it('that two requests renew at a time has the token that one of them got, and the other got none', async () => {
    const { token, session } = await createSession();
    const renewed = await Promise.all([sessions.renew(session), sessions.renew(session)]);
    const [current, ...others] = renewed.filter((given) => given !== null);
    expect(others).toEqual([]);
    expect(await sessions.findByToken(current ?? '')).toMatchObject({ sessionId: session.sessionId });
    expect(await sessions.findByToken(token)).toBeNull();
  });

  it('that was renewed or has ended meanwhile gets no second factor from a request with the token before', async () => {
    const { manager } = world.dataSource;
    const { session } = await createSession();
    const current = (await sessions.renew(session)) ?? '';
    const refused = { code: 'not_signed_in' };
    await expect(sessions.renewWithTwoFactors(manager, session)).rejects.toMatchObject(refused);
    expect(await sessions.findByToken(current)).toMatchObject({ hasTwoFactors: false });
    const ended = await createSession();
    await sessions.end(manager, userId, ended.session.sessionId);
    await expect(sessions.renewWithTwoFactors(manager, ended.session)).rejects.toMatchObject(refused);
  });

  it('is not found by a token that differs in one character', async () => {
    const { token } = await createSession();
    for (const at of [0, 20, 41]) {
      const changed = token.slice(0, at) + (token[at] === 'A' ? 'B' : 'A') + token.slice(at + 1);
      expect(await sessions.findByToken(changed)).toBeNull();
    }
    expect(await sessions.findByToken(token)).not.toBeNull();
  });

  it('of a user without a password confirms changes for ten minutes only', async () => {
    const limits = { countAttempt: () => Promise.reject(new Error('not counted')) };
    const confirmation = new UserReauthentication(world.dataSource, sessions, limits as never);
    const { token, session } = await createSession();
    expect(session).toMatchObject({ hasPassword: false, isRecent: true });
    const confirmed = { token: null, passwordHash: null };
    await expect(confirmation.confirm(session, undefined, null)).resolves.toEqual(confirmed);
    await world.rows(
      `UPDATE user_session SET created_at = created_at - interval '601 seconds' WHERE id = $1`,
      session.sessionId,
    );
    const later = await sessions.findByToken(token);
    expect(later).toMatchObject({ isRecent: false });
    await expect(confirmation.confirm(later as SessionWithUserAndRole, 'any', null)).rejects.toMatchObject({
      code: 'recent_sign_in_required',
    });
  });

  it('that has ended confirms nothing, neither with a password nor without', async () => {
    const limits = { countAttempt: () => Promise.resolve() };
    const confirmation = new UserReauthentication(world.dataSource, sessions, limits as never);
    const { session } = await createSession();
    await sessions.end(world.dataSource.manager, userId, session.sessionId);
    const refused = { code: 'not_signed_in' };
    await expect(confirmation.confirm(session, undefined, null)).rejects.toMatchObject(refused);
    await expect(sessions.renew(session)).rejects.toMatchObject(refused);
  });
});

describe('a change of the own password', () => {
  const [FIRST, SECOND] = ['argon of a first passphrase', 'argon of a second passphrase'];
  let users: Users;
  let session: SessionWithUserAndRole;

  beforeEach(async () => {
    users = new Users(world.dataSource, sessions, new BreachedPasswords(null));
    await world.dataSource.manager.update(User, { id: userId }, { passwordHash: FIRST });
    ({ session } = await createSession());
  });

  const actor = () => ({ kind: 'user', id: userId, name: null, address: null, requestId: null }) as const;
  const change = (confirmedHash: string | null = FIRST) =>
    inTransaction(world.dataSource, (tx) =>
      users.changePassword(tx, actor(), session, { confirmedHash, passwordHash: SECOND }),
    );
  const readHash = async () =>
    (await world.dataSource.manager.findOneByOrFail(User, { id: userId })).passwordHash;

  it('keeps the session, and ends the others', async () => {
    const other = await createSession();
    await change();
    expect(await readHash()).toBe(SECOND);
    expect(await listIds()).toEqual([session.sessionId]);
    expect(await sessions.findByToken(other.token)).toBeNull();
  });

  it('changes nothing if the session ends while it waits', async () => {
    let outcome: Promise<unknown> | undefined;
    await inTransaction(world.dataSource, async (tx) => {
      await sessions.end(tx, userId, session.sessionId);
      outcome = change().catch((error: unknown) => error);
      await world.waitForBlockedTransaction();
    });
    expect(await outcome).toMatchObject({ code: 'not_signed_in' });
    expect(await readHash()).toBe(FIRST);
  });

  it('changes nothing if the password is no longer the one that was confirmed', async () => {
    await expect(change('argon of an older passphrase')).rejects.toMatchObject({ code: 'conflict' });
    expect(await readHash()).toBe(FIRST);
  });
});
