import { Sessions } from '@app/auth';
import { Membership, User } from '@app/database';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createJobWorld, type World } from '../support/job-world.js';

const CLIENT = { address: '203.0.113.7', userAgent: 'Browser' };

let world: World;
let sessions: Sessions;

beforeAll(async () => {
  world = await createJobWorld();
  sessions = new Sessions(world.dataSource, { lifetimeSeconds: 600, idleSeconds: 600 });
});
afterAll(() => world.close());

it('a sign-in opens the account that the user chose last, also after sign-out, while they are a member', async () => {
  const owner = crypto.randomUUID();
  const { manager } = world.dataSource;
  await manager.insert(User, { id: owner, email: `${owner}@example.org`, name: 'Two' });
  const [first, second] = [await world.newAccount(), await world.newAccount()];
  for (const accountId of [first, second])
    await manager.insert(Membership, { userId: owner, accountId, role: 'member' });
  const signIn = async () => {
    const token = await sessions.create(manager, { userId: owner, hasTwoFactors: false }, CLIENT);
    return { token, session: await sessions.findByToken(token) };
  };
  const { token, session } = await signIn();
  expect(session).toMatchObject({ accountId: first });
  expect(await sessions.switchAccount(session?.sessionId ?? '', second)).toBe(true);
  await sessions.endByToken(token, CLIENT);
  expect((await signIn()).session).toMatchObject({ accountId: second });
  await manager.delete(Membership, { userId: owner, accountId: second });
  expect((await signIn()).session).toMatchObject({ accountId: first });
});
