import { Memberships } from '@app/auth';
import { Membership, User } from '@app/database';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createJobWorld, type World } from '../support/job-world.js';

const OPERATOR = { kind: 'operator', id: null, name: 'ops', address: null, requestId: null } as const;

let world: World;
let memberships: Memberships;
let accountId: string;
let owner: string;
let other: string;

beforeAll(async () => {
  world = await createJobWorld();
  memberships = new Memberships(world.dataSource);
});
afterAll(() => world.close());

async function addOwner(): Promise<string> {
  const userId = crypto.randomUUID();
  const { manager } = world.dataSource;
  await manager.insert(User, { id: userId, email: `${userId}@example.org`, name: 'Vera' });
  await manager.insert(Membership, { userId, accountId, role: 'owner' });
  return userId;
}

beforeEach(async () => {
  accountId = await world.newAccount();
  [owner, other] = [await addOwner(), await addOwner()];
});

const disable = (id: string) => world.rows('UPDATE app_user SET disabled_at = now() WHERE id = $1', id);
const asOwner = () => ({ ...OPERATOR, kind: 'user', id: owner }) as const;
const leave = () => memberships.remove(accountId, owner, asOwner());
const listAccountsWithoutOwner = () =>
  memberships.listAccountsWithoutEnabledOwner(world.dataSource.manager, owner);

describe('the last owner who may sign in', () => {
  it('can neither leave nor change role while the other owner is disabled', async () => {
    await disable(other);
    for (const change of [leave, () => memberships.changeRole(accountId, owner, 'viewer', asOwner())])
      await expect(change()).rejects.toMatchObject({ code: 'conflict' });
    await memberships.remove(accountId, other, OPERATOR);
    await addOwner();
    await leave();
  });

  it('who is disabled leaves an account without an owner', async () => {
    await disable(other);
    expect(await listAccountsWithoutOwner()).toEqual([]);
    await disable(owner);
    expect(await listAccountsWithoutOwner()).toHaveLength(1);
    await memberships.remove(accountId, other, OPERATOR);
    await expect(memberships.remove(accountId, owner, OPERATOR)).rejects.toMatchObject({ code: 'conflict' });
    await addOwner();
    expect(await listAccountsWithoutOwner()).toEqual([]);
    await memberships.remove(accountId, owner, OPERATOR);
  });
});
