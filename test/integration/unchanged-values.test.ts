import { BreachedPasswords, Memberships, Passkeys, Sessions, Users } from '@app/auth';
import { AuditEvent, inTransaction, Membership, Passkey, User } from '@app/database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createJobWorld, type World } from '../support/job-world.js';

let world: World;
let userId: string;
let accountId: string;
let users: Users;

beforeAll(async () => {
  world = await createJobWorld();
  const { dataSource } = world;
  const sessions = new Sessions(dataSource, { lifetimeSeconds: 600, idleSeconds: 600 });
  users = new Users(dataSource, sessions, new BreachedPasswords(null));
  [userId, accountId] = [crypto.randomUUID(), await world.newAccount()];
  await dataSource.manager.insert(User, { id: userId, email: 'vera@example.org', name: 'Vera' });
  await dataSource.manager.insert(Membership, { userId, accountId, role: 'owner' });
  const passkey = { id: 'first', userId, name: 'Phone', publicKey: Buffer.from('key'), counter: 0 };
  await dataSource.manager.insert(Passkey, { ...passkey, transports: [] });
});
afterAll(() => world.close());

const actor = () => ({ kind: 'user', id: userId, name: null, address: null, requestId: null }) as const;
const renameUser = (name: string) =>
  inTransaction(world.dataSource, (tx) => users.rename(tx, actor(), userId, name));
const renamePasskey = (name: string) => {
  const unused = undefined as never;
  return new Passkeys(world.dataSource, unused, unused, unused, unused).rename(
    userId,
    'first',
    name,
    actor(),
  );
};
const changeRole = (role: 'owner') =>
  new Memberships(world.dataSource).changeRole(accountId, userId, role, actor());

describe('a change to the value that is there already', () => {
  it.each([
    ['the name of a user', () => renameUser(' Vera ')],
    ['the name of a passkey', () => renamePasskey('Phone')],
    ['the role of a member', () => changeRole('owner')],
  ])('of %s is not recorded', async (_, change) => {
    await change();
    expect(await world.dataSource.manager.count(AuditEvent)).toBe(0);
  });
});
