import { BreachedPasswords, Sessions, SignInService, TotpAndRecoveryCodes, Users } from '@app/auth';
import { Encryptor, ExternalIdentity, inTransaction, Passkey, User } from '@app/database';
import { randomBytes } from 'node:crypto';
import { generate } from 'otplib';
import type { EntityManager } from 'typeorm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { lockPasskeyRow } from '../../libs/auth/src/people/factors/passkey.repository.js';
import { lockExternalIdentityAndFindUser } from '../../libs/auth/src/people/sign-in/external-identity.repository.js';
import { lockUserIfPasswordHashIs } from '../../libs/auth/src/people/users/user.repository.js';
import { createJobWorld, type World } from '../support/job-world.js';

const OPERATOR = { kind: 'operator', id: null, name: 'ops', address: null, requestId: null } as const;
const CLIENT = { address: '203.0.113.7', userAgent: 'Browser' };
const ISSUER = 'https://provider.example.org';

let world: World;
let sessions: Sessions;
let users: Users;
let userId: string;

beforeAll(async () => {
  world = await createJobWorld();
  sessions = new Sessions(world.dataSource, { lifetimeSeconds: 600, idleSeconds: 600 });
  users = new Users(world.dataSource, sessions, new BreachedPasswords(null));
});
afterAll(() => world.close());

beforeEach(async () => {
  userId = crypto.randomUUID();
  const { manager } = world.dataSource;
  await manager.insert(User, { id: userId, email: `${userId}@example.org`, name: 'Vera' });
  const passkey = { id: userId, userId, name: 'Phone', publicKey: Buffer.from('key'), counter: 0 };
  await manager.insert(Passkey, { ...passkey, transports: [] });
  await manager.insert(ExternalIdentity, { issuer: ISSUER, subject: userId, userId });
});

/** A sign-in that has verified its factor when `remove` begins, and starts its session while that waits. */
async function signInDuring<T>(
  verify: (tx: EntityManager) => Promise<unknown>,
  remove: () => Promise<T>,
): Promise<T> {
  let removal: Promise<T> | undefined;
  await inTransaction(world.dataSource, async (tx) => {
    await verify(tx);
    removal = remove();
    await world.waitForBlockedTransaction();
    await sessions.create(tx, { userId, hasTwoFactors: false }, CLIENT);
  });
  return removal as Promise<T>;
}

const usePasskey = (tx: EntityManager) => lockPasskeyRow(tx, userId);
const useIdentity = (tx: EntityManager) => lockExternalIdentityAndFindUser(tx, ISSUER, userId);

describe('a session that a sign-in starts at the same moment', () => {
  it.each([
    ['the factors of the user are removed', 'removeFactors', usePasskey],
    ['the address of the user is proved', 'proveAddress', usePasskey],
    ['the address of the user is proved by somebody else', 'proveAddress', useIdentity],
    ['the person of the provider is unlinked', 'unlinkIdentities', useIdentity],
  ] as const)('ends when %s', async (_, method, verify) => {
    await signInDuring(verify, () =>
      inTransaction<unknown>(world.dataSource, (tx) => users[method](tx, OPERATOR, userId)),
    );
    expect(await sessions.list(userId)).toEqual([]);
  });

  it('ends when an authenticator app is enabled, as it was verified by the password only', async () => {
    const { dataSource } = world;
    const codes = new TotpAndRecoveryCodes(dataSource, new Encryptor(randomBytes(32)), randomBytes(32));
    const count = async () => undefined;
    const limits = { countRequest: count, countUserAttempt: count };
    const signIn = new SignInService(dataSource, sessions, codes, limits as never);
    const token = await sessions.create(dataSource.manager, { userId, hasTwoFactors: false }, CLIENT);
    const session = await sessions.findByToken(token);
    if (!session) throw new Error('The session was not created.');
    const { secret } = await codes.enroll(userId, 'vera@example.org');
    const code = await generate({ secret });
    await signInDuring(
      (tx) => lockUserIfPasswordHashIs(tx, userId, null),
      () => signIn.enableSecondFactor(session, code, { ...OPERATOR, kind: 'user', id: userId }),
    );
    expect((await sessions.list(userId)).map(({ id }) => id)).toEqual([session.sessionId]);
  });
});
