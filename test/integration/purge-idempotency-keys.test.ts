import { afterAll, beforeAll, beforeEach, expect, describe, it } from 'vitest';
import { purgeExpiredIdempotencyKeys } from '../../apps/processor/src/maintenance/expired-idempotency-key.repository.js';
import { createJobWorld, type World } from '../support/job-world.js';

let world: World;
beforeAll(async () => {
  world = await createJobWorld();
});
afterAll(() => world.close());
beforeEach(() => world.rows('DELETE FROM idempotency_key'));

/** Inserts keys with or without a stored response that expire after an interval. */
const insertKeys = (count: number, expiry: string, response: string | null) =>
  world.rows(
    `INSERT INTO idempotency_key (account_id, route, key, claim, fingerprint, key_id, sealed, expires_at)
     SELECT $1, $2::text, n::text, gen_random_uuid(), $3::text, $3::text, $3::text::bytea, now() + $2::interval FROM generate_series(1, $4) AS n`,
    world.accountId,
    expiry,
    response,
    count,
  );
const readRows = () =>
  world.rows('SELECT route AS expiry, count(*)::int AS count FROM idempotency_key GROUP BY route');

describe('purgeExpiredIdempotencyKeys', () => {
  it('expired keys are deleted, with or without a stored response, and other keys stay', async () => {
    await insertKeys(2, '-1 second', '{}');
    await insertKeys(2, '-2 seconds', null);
    await insertKeys(2, '1 hour', '{}');
    expect(await purgeExpiredIdempotencyKeys(world.dataSource)).toBe(false);
    expect(await readRows()).toEqual([{ expiry: '1 hour', count: 2 }]);
  });

  it('a call returns true while more keys have expired', async () => {
    await insertKeys(1_500, '-1 hour', '{}');
    expect(await purgeExpiredIdempotencyKeys(world.dataSource)).toBe(true);
    expect(await readRows()).toEqual([{ expiry: '-1 hour', count: 500 }]);
    expect(await purgeExpiredIdempotencyKeys(world.dataSource)).toBe(false);
    expect(await readRows()).toEqual([]);
  });
});
