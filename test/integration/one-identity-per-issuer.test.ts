import { BreachedPasswords, OidcSignIn, Sessions, SignInService, Users } from '@app/auth';
import { ExternalIdentity, User } from '@app/database';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createJobWorld, type World } from '../support/job-world.js';

const ISSUER = 'https://provider.example';
const CLIENT = { address: '203.0.113.7', userAgent: null };

let world: World;
beforeAll(async () => {
  world = await createJobWorld();
});
afterAll(() => world.close());

it('of two people of a provider who sign in with one address at a time, the first becomes the user', async () => {
  const { dataSource } = world;
  const userId = crypto.randomUUID();
  const email = `${userId}@example.org`;
  await dataSource.manager.insert(User, { id: userId, email, name: 'Vera', isAddressProved: true });
  const sessions = new Sessions(dataSource, { lifetimeSeconds: 600, idleSeconds: 600 });
  const users = new Users(dataSource, sessions, new BreachedPasswords(null));
  const unused = undefined as never;
  const limits = { countRequest: async () => undefined };
  const signIn = new SignInService(dataSource, sessions, unused, limits as never);
  let people = 0;
  const provider = {
    options: { allowedDomains: ['example.org'] },
    buildAuthorizationUrl: async () => ({ url: 'x', checks: {} }),
    redeemCode: async () => ({
      issuer: ISSUER,
      subject: `person ${(people += 1)}`,
      email,
      name: null,
      hasTwoFactors: false,
    }),
  };
  const oidc = new OidcSignIn(dataSource, provider as never, signIn, users, unused, limits as never);
  const signInOnce = async () => {
    const { state = '' } = (await oidc.start(CLIENT, null)) ?? {};
    return oidc.finish(`state=${state}`, state, CLIENT);
  };
  const startSession = signIn.startSession.bind(signIn);
  let second: ReturnType<typeof signInOnce> | undefined;
  vi.spyOn(signIn, 'startSession').mockImplementationOnce(async (...given) => {
    second = signInOnce();
    await world.waitForBlockedTransaction();
    return startSession(...given);
  });
  expect(await signInOnce()).toMatchObject({ state: 'signed_in', userId });
  expect(await second).toMatchObject({ state: 'rejected', reason: 'another_identity' });
  expect(await dataSource.manager.countBy(ExternalIdentity, { userId })).toBe(1);
});
