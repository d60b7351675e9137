import { SignInService, TotpAndRecoveryCodes } from '@app/auth';
import { Encryptor, User } from '@app/database';
import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
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

const recordEvents = (action: string, count = 1) =>
  world.rows(
    `INSERT INTO audit_event (actor_kind, actor_id, action, details)
     SELECT 'user', $1, $2, '{}' FROM generate_series(1, $3::int)`,
    userId,
    action,
    count,
  );

const rejectCodes = (count: number) => recordEvents('user.second_factor_rejected', count);

async function enter(code: string) {
  const token = randomBytes(32);
  const text = token.toString('base64url');
  await world.rows(
    `INSERT INTO sign_in_challenge (token_hash, user_id, kind, data, expires_at)
     VALUES ($1, $2, 'second_factor', '{"method": "password"}', now() + interval '1 minute')`,
    createHash('sha256').update(text).digest(),
    userId,
  );
  return signIn.withSecondFactor(text, code, CLIENT);
}

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

  it.each(['user.password_changed', 'user.second_factor_enabled', 'user.second_factor_replaced'])(
    'the event %s begins the count anew, for codes after it only',
    async (action) => {
      await rejectCodes(LIMIT);
      await recordEvents(action);
      await expect(enter('000000')).rejects.toMatchObject({ code: 'sign_in_failed' });
      await rejectCodes(LIMIT - 1);
      await expect(enter('000000')).rejects.toMatchObject({ code: 'rate_limit_exceeded' });
    },
  );
});
