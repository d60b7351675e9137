import { BreachedPasswords, SignInService, TotpAndRecoveryCodes, Users } from '@app/auth';
import { Encryptor, TotpSecret, User } from '@app/database';
import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createJobWorld, type World } from '../support/job-world.js';

const CLIENT = { address: null, userAgent: null };
const LIMIT = 50;

let world: World;
let codes: TotpAndRecoveryCodes;
let signIn: SignInService;
let userId: string;

beforeAll(async () => {
  world = await createJobWorld();
  codes = new TotpAndRecoveryCodes(world.dataSource, new Encryptor(randomBytes(32)), randomBytes(32));
  const sessions = { create: () => Promise.resolve('token') };
  const limits = { countRequest: () => Promise.resolve(), countUserAttempt: () => Promise.resolve() };
  signIn = new SignInService(world.dataSource, sessions as never, codes, limits as never);
});
afterAll(() => world.close());

beforeEach(async () => {
  userId = crypto.randomUUID();
  await world.dataSource.manager.insert(User, { id: userId, email: `${userId}@example.org`, name: 'Vera' });
});

const recordEvents = (action: string, count = 1, details = {}) =>
  world.rows(
    `INSERT INTO audit_event (actor_kind, actor_id, action, details)
     SELECT 'user', $1, $2, $4 FROM generate_series(1, $3::int)`,
    userId,
    action,
    count,
    JSON.stringify(details),
  );

const rejectCodes = (count: number) => recordEvents('user.second_factor_rejected', count);

async function enter(code: string, by = signIn) {
  const token = randomBytes(32);
  const text = token.toString('base64url');
  await world.rows(
    `INSERT INTO sign_in_challenge (token_hash, user_id, kind, data, expires_at)
     VALUES ($1, $2, 'second_factor', '{"method": "password"}', now() + interval '1 minute')`,
    createHash('sha256').update(text).digest(),
    userId,
  );
  return by.withSecondFactor(text, code, CLIENT);
}

it('counting a code holds no connection in a transaction, as it may need one itself', async () => {
  const idle: unknown[] = [];
  const countUserAttempt = async () => {
    idle.push(
      ...(await world.rows(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND state = 'idle in transaction'`,
      )),
    );
  };
  const limits = { countRequest: () => Promise.resolve(), countUserAttempt };
  await expect(
    enter('000000', new SignInService(world.dataSource, undefined as never, codes, limits as never)),
  ).rejects.toMatchObject({ code: 'sign_in_failed' });
  expect(idle).toEqual([]);
});

it.each([
  ['a clock that was set back, so that the last code is of the future', 10_000],
  ['a clock that was set back by a moment', 1],
  ['a code that was used just now', 0],
])('a code is wrong, and no fault of the service, after %s', async (_, stepsAhead) => {
  const { generate } = await import('otplib');
  const { manager } = world.dataSource;
  const { secret } = await codes.enroll(userId, 'vera@example.org');
  expect(await codes.enable(manager, userId, await generate({ secret }))).not.toBeNull();
  await manager.increment(TotpSecret, { userId }, 'lastStep', stepsAhead);
  await expect(enter(await generate({ secret }))).rejects.toMatchObject({ code: 'sign_in_failed' });
});

it('codes are compared with the clock of the database', async () => {
  const { generate } = await import('otplib');
  const { secret } = await codes.enroll(userId, 'vera@example.org');
  const code = await generate({ secret });
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 });
  try {
    expect(await codes.enable(world.dataSource.manager, userId, code)).not.toBeNull();
  } finally {
    vi.useRealTimers();
  }
});

describe('after 50 wrong codes in a day', () => {
  it('a further code is not tried', async () => {
    await rejectCodes(LIMIT - 1);
    await expect(enter('000000')).rejects.toMatchObject({ code: 'sign_in_failed' });
    await expect(enter('000000')).rejects.toMatchObject({ code: 'rate_limit_exceeded' });
  });

  it('a recovery code signs in, once', async () => {
    const [code = ''] = await codes.renewRecoveryCodes(world.dataSource.manager, userId);
    await rejectCodes(LIMIT);
    await expect(enter(code)).resolves.toMatchObject({ state: 'signed_in', userId });
    await expect(enter(code)).rejects.toMatchObject({ code: 'rate_limit_exceeded' });
  });

  it.each(['user.second_factor_enabled', 'user.second_factor_replaced'])(
    'the event %s begins the count anew, for codes after it only',
    async (action) => {
      await rejectCodes(LIMIT);
      await recordEvents(action);
      await expect(enter('000000')).rejects.toMatchObject({ code: 'sign_in_failed' });
      await rejectCodes(LIMIT - 1);
      await expect(enter('000000')).rejects.toMatchObject({ code: 'rate_limit_exceeded' });
    },
  );

  it.each([
    ['by a session with two factors begins the count anew', { hasTwoFactors: true }, 'sign_in_failed'],
    ['by a session with one factor leaves the count', { hasTwoFactors: false }, 'rate_limit_exceeded'],
    ['by a link leaves the count', {}, 'rate_limit_exceeded'],
  ])('a new password %s', async (_, session, code) => {
    await rejectCodes(LIMIT);
    const actor = { kind: 'user', id: userId, name: null, address: null, requestId: null } as const;
    const users = new Users(
      world.dataSource,
      { endAll: async () => 0 } as never,
      new BreachedPasswords(null),
    );
    const change = { userId, passwordHash: 'hash', ...session };
    await users.setPassword(world.dataSource.manager, actor, change);
    await expect(enter('000000')).rejects.toMatchObject({ code });
  });
});
