import { Sessions, SignInService, TotpAndRecoveryCodes } from '@app/auth';
import { AuditEvent, Encryptor, TotpEnrollment, User } from '@app/database';
import { randomBytes } from 'node:crypto';
import { generate } from 'otplib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createJobWorld, type World } from '../support/job-world.js';

const CLIENT = { address: '203.0.113.7', userAgent: null };

let world: World;
let codes: TotpAndRecoveryCodes;
let sessions: Sessions;
let signIn: SignInService;
let counted: string[];
let userId: string;

beforeAll(async () => {
  world = await createJobWorld();
  const { dataSource } = world;
  codes = new TotpAndRecoveryCodes(dataSource, new Encryptor(randomBytes(32)), randomBytes(32));
  sessions = new Sessions(dataSource, { lifetimeSeconds: 600, idleSeconds: 600 });
  const count = async (what: string | null) => void counted.push(what ?? '');
  const limits = { countRequest: count, countUserAttempt: count };
  signIn = new SignInService(dataSource, sessions, codes, limits as never);
});
afterAll(() => world.close());

beforeEach(async () => {
  counted = [];
  userId = crypto.randomUUID();
  await world.dataSource.manager.insert(User, { id: userId, email: `${userId}@example.org`, name: 'Vera' });
});

const enroll = async () => (await codes.enroll(userId, 'vera@example.org')).secret;

async function enable(code: string) {
  const token = await sessions.create(world.dataSource.manager, { userId, hasTwoFactors: false }, CLIENT);
  const session = await sessions.findByToken(token);
  if (!session) throw new Error('The session was not created.');
  const actor = { kind: 'user', id: userId, name: null, address: CLIENT.address, requestId: null } as const;
  return signIn.enableSecondFactor(session, code, actor);
}

/** As if the user had begun with the app the given time ago. */
const beganAgo = (interval: string) =>
  world.dataSource.manager.update(
    TotpEnrollment,
    { userId },
    { createdAt: () => `now() - interval '${interval}'` },
  );

describe('an app that is being set up', () => {
  it('is enabled by its first code, and gives recovery codes and a new token', async () => {
    const secret = await enroll();
    const { recoveryCodes, token } = await enable(await generate({ secret }));
    expect(recoveryCodes).toHaveLength(10);
    expect(await sessions.findByToken(token)).toMatchObject({ hasTwoFactors: true });
    expect(await codes.isEnabled(userId)).toBe(true);
  });

  it.each([
    ['spaces', (code: string) => ` ${code.slice(0, 3)} ${code.slice(3)}`],
    ['a hyphen', (code: string) => `${code.slice(0, 3)}-${code.slice(3)}`],
  ])('is enabled by a code that was typed with %s', async (_, type) => {
    const secret = await enroll();
    await enable(type(await generate({ secret })));
    expect(await codes.isEnabled(userId)).toBe(true);
  });

  it('counts each code for address and user, and records a wrong one', async () => {
    await enroll();
    await expect(enable('000000')).rejects.toMatchObject({ code: 'validation_failed' });
    expect(counted).toEqual([CLIENT.address, `second-factor ${userId}`]);
    const rejected = { actorId: userId, action: 'user.second_factor_rejected' };
    expect(await world.dataSource.manager.countBy(AuditEvent, rejected)).toBe(1);
  });

  it('is enabled for ten minutes, and another beginning begins them anew', async () => {
    const first = await enroll();
    await beganAgo('601 seconds');
    await expect(enable(await generate({ secret: first }))).rejects.toMatchObject({
      code: 'validation_failed',
    });
    const second = await enroll();
    await expect(enable(await generate({ secret: first }))).rejects.toMatchObject({
      code: 'validation_failed',
    });
    await enable(await generate({ secret: second }));
    expect(await codes.isEnabled(userId)).toBe(true);
  });
});
