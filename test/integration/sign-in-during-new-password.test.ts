import { BreachedPasswords, Sessions, SignInService, Users } from '@app/auth';
import { inTransaction, User } from '@app/database';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createJobWorld, type World } from '../support/job-world.js';

const OPERATOR = { kind: 'operator', id: null, name: 'ops', address: null, requestId: null } as const;
const CLIENT = { address: '203.0.113.7', userAgent: 'Browser' };
const EMAIL = 'vera@example.org';
const [FIRST, SECOND] = ['a first passphrase of hers', 'a second passphrase of hers'];

let world: World;
let users: Users;
let sessions: Sessions;
let signIn: SignInService;

beforeAll(async () => {
  world = await createJobWorld();
  const { dataSource } = world;
  sessions = new Sessions(dataSource, { lifetimeSeconds: 600, idleSeconds: 600 });
  users = new Users(dataSource, sessions, new BreachedPasswords(null));
  const unlimited = { countAttempt: async () => undefined };
  signIn = new SignInService(dataSource, sessions, undefined as never, unlimited as never);
});
afterAll(() => world.close());

const waitForBlockedStatement = () =>
  expect
    .poll(() =>
      world.rows(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      ),
    )
    .toHaveLength(1);

it('a sign-in whose password is replaced while it is verified fails, and leaves no session', async () => {
  const userId = crypto.randomUUID();
  const hash = (password: string) => users.hashNewPassword(password, { email: EMAIL, name: 'Vera' });
  const [passwordHash, newHash] = [await hash(FIRST), await hash(SECOND)];
  await world.dataSource.manager.insert(User, { id: userId, email: EMAIL, name: 'Vera', passwordHash });
  expect(await signIn.withPassword(EMAIL, FIRST, CLIENT)).toMatchObject({ state: 'signed_in' });
  let outcome: Promise<unknown> | undefined;
  await inTransaction(world.dataSource, async (tx) => {
    await users.setPassword(tx, OPERATOR, { userId, passwordHash: newHash });
    outcome = signIn.withPassword(EMAIL, FIRST, CLIENT).catch((error: unknown) => error);
    await waitForBlockedStatement();
  });
  expect(await outcome).toMatchObject({ code: 'sign_in_failed' });
  expect(await sessions.list(userId)).toEqual([]);
  expect(await signIn.withPassword(EMAIL, SECOND, CLIENT)).toMatchObject({ state: 'signed_in' });
});
