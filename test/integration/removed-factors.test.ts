import { BreachedPasswords, Sessions, Users } from '@app/auth';
import { inTransaction, Passkey, User } from '@app/database';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createJobWorld, type World } from '../support/job-world.js';

const OPERATOR = { kind: 'operator', id: null, name: 'ops', address: null, requestId: null } as const;

let world: World;
beforeAll(async () => {
  world = await createJobWorld();
});
afterAll(() => world.close());

it('a passkey that a session adds while an operator removes the factors of the user is removed, too', async () => {
  const { dataSource } = world;
  const sessions = new Sessions(dataSource, { lifetimeSeconds: 600, idleSeconds: 600 });
  const users = new Users(dataSource, sessions, new BreachedPasswords(null));
  const userId = crypto.randomUUID();
  await dataSource.manager.insert(User, { id: userId, email: 'vera@example.org', name: 'Vera' });
  const createPasskey = (id: string) => ({
    id,
    userId,
    name: id,
    publicKey: Buffer.from(id),
    counter: 0,
    transports: [],
  });
  await dataSource.manager.insert(Passkey, createPasskey('first'));
  const client = { address: '203.0.113.7', userAgent: 'Browser' };
  const token = await sessions.create(dataSource.manager, { userId, hasTwoFactors: false }, client);
  const session = await sessions.findByToken(token);
  if (!session) throw new Error('The session was not created.');

  let removal: Promise<boolean> | undefined;
  await inTransaction(dataSource, async (tx) => {
    await tx.insert(Passkey, createPasskey('second'));
    await sessions.renewWithTwoFactors(tx, session);
    removal = inTransaction(dataSource, (other) => users.removeFactors(other, OPERATOR, userId));
    await world.waitForBlockedTransaction();
  });
  expect(await removal).toBe(true);
  expect(await dataSource.manager.countBy(Passkey, { userId })).toBe(0);
  expect(await sessions.list(userId)).toEqual([]);
});
