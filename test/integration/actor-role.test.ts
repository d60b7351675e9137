import {
  ApiKeys,
  BreachedPasswords,
  ConsoleApiKeys,
  Invitations,
  Memberships,
  type MemberRole,
  Sessions,
  Users,
} from '@app/auth';
import { ApiKey, inTransaction, Invitation, Membership, User } from '@app/database';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createJobWorld, type World } from '../support/job-world.js';

const OPERATOR = { kind: 'operator', id: null, name: 'ops', address: null, requestId: null } as const;

let world: World;
let memberships: Memberships;
let invitations: Invitations;
let keys: ConsoleApiKeys;
let accountId: string;
let owner: string;
let actor: string;

beforeAll(async () => {
  world = await createJobWorld();
  const { dataSource } = world;
  memberships = new Memberships(dataSource);
  const sessions = new Sessions(dataSource, { lifetimeSeconds: 600, idleSeconds: 600 });
  const users = new Users(dataSource, sessions, new BreachedPasswords(null));
  const unused = undefined as never;
  invitations = new Invitations(dataSource, users, memberships, unused, unused);
  const apiKeys = new ApiKeys(dataSource.getRepository(ApiKey), { hashingKey: Buffer.alloc(32) });
  keys = new ConsoleApiKeys(dataSource, apiKeys);
});
afterAll(() => world.close());

async function addMember(role: MemberRole): Promise<string> {
  const userId = crypto.randomUUID();
  const { manager } = world.dataSource;
  await manager.insert(User, { id: userId, email: `${userId}@example.org`, name: 'Vera' });
  await manager.insert(Membership, { userId, accountId, role });
  return userId;
}

beforeEach(async () => {
  accountId = await world.newAccount();
  owner = await addMember('owner');
  actor = await addMember('owner');
});

const asActor = () => ({ ...OPERATOR, kind: 'user', id: actor }) as const;
const setRole = (role: MemberRole) =>
  world.dataSource.manager.update(Membership, { accountId, userId: actor }, { role });
const readRole = async (userId: string) =>
  (await world.dataSource.manager.findOneBy(Membership, { accountId, userId }))?.role;

const invite = (role: MemberRole = 'member') =>
  invitations.create({ accountId, email: `${crypto.randomUUID()}@example.org`, role }, asActor());
const createKey = () => keys.create({ accountId, name: 'key', userId: actor, expiresAt: null }, asActor());

/** Each needs the role of an admin at least. */
const CHANGES: Record<string, (other: string) => Promise<unknown>> = {
  'changes a role': (other) => memberships.changeRole(accountId, other, 'viewer', asActor()),
  'removes a member': (other) => memberships.remove(accountId, other, asActor()),
  'invites somebody': () => invite(),
};
const CHANGES_OF_MEMBERS: typeof CHANGES = { ...CHANGES, 'creates a key': () => createKey() };
const OWNER_CHANGES: Record<string, () => Promise<unknown>> = {
  'changes an owner': () => memberships.changeRole(accountId, owner, 'member', asActor()),
  'makes an owner': async () =>
    memberships.changeRole(accountId, await addMember('member'), 'owner', asActor()),
  'removes an owner': () => memberships.remove(accountId, owner, asActor()),
  'invites an owner': () => invite('owner'),
};

describe('the role of a user is that at the time of the change, so', () => {
  it.each(Object.entries(OWNER_CHANGES))(
    'an owner who has become an admin no longer %s',
    async (_, change) => {
      await setRole('admin');
      await expect(change()).rejects.toMatchObject({ code: 'permission_denied' });
      expect(await readRole(owner)).toBe('owner');
      await setRole('owner');
      await change();
    },
  );

  it.each(Object.entries(CHANGES))('an admin who has become a member no longer %s', async (_, change) => {
    const other = await addMember('member');
    await setRole('member');
    await expect(change(other)).rejects.toMatchObject({ code: 'permission_denied' });
    expect(await readRole(other)).toBe('member');
  });

  it.each(Object.entries(CHANGES_OF_MEMBERS))('a user who was removed no longer %s', async (_, change) => {
    const other = await addMember('member');
    await memberships.remove(accountId, actor, OPERATOR);
    await expect(change(other)).rejects.toMatchObject({ code: 'permission_denied' });
    expect(await readRole(other)).toBe('member');
  });

  it.each([
    ['an invitation', () => invite(), Invitation],
    ['a key', createKey, ApiKey],
  ] as const)('%s that waits for the removal of its creator is not made', async (_, create, entity) => {
    let outcome: Promise<unknown> | undefined;
    await inTransaction(world.dataSource, async (tx) => {
      await tx.delete(Membership, { accountId, userId: actor });
      outcome = create().catch((error: unknown) => error);
      await world.waitForBlockedTransaction();
    });
    expect(await outcome).toMatchObject({ code: 'permission_denied' });
    expect(await world.dataSource.manager.countBy(entity, { accountId })).toBe(0);
  });

  it('a viewer creates no key, and leaves without any permission', async () => {
    await setRole('viewer');
    await expect(createKey()).rejects.toMatchObject({ code: 'permission_denied' });
    await memberships.remove(accountId, actor, asActor());
    expect(await readRole(actor)).toBeUndefined();
  });

  it('an operator changes every role without being a member', async () => {
    await memberships.changeRole(accountId, owner, 'viewer', OPERATOR);
    expect(await readRole(owner)).toBe('viewer');
  });
});
