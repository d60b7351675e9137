import { type SessionWithUserAndRole, Sessions, UserReauthentication } from '@app/auth';
import { Membership, User } from '@app/database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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

/** As if the last request was so long ago. */
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
      requiresTwoFactors: true,
      hasTwoFactors: false,
    });
    expect(await sessions.findAccess([session.sessionId])).toEqual([]);
    const renewed = await sessions.renewWithTwoFactors(world.dataSource.manager, session.sessionId);
    expect(await sessions.findByToken(token)).toBeNull();
    expect(await sessions.findByToken(renewed)).toMatchObject({ accountId, hasTwoFactors: true });
    expect(await sessions.findAccess([session.sessionId])).toEqual([access]);
  });

  it('of a user without a password confirms changes for ten minutes only', async () => {
    const limits = { countAttempt: () => Promise.reject(new Error('not counted')) };
    const confirmation = new UserReauthentication(world.dataSource, limits as never);
    const { token, session } = await createSession();
    expect(session).toMatchObject({ hasPassword: false, isRecent: true });
    await expect(confirmation.confirm(session, undefined, null)).resolves.toBeUndefined();
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
});
