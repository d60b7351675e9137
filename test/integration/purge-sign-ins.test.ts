import { purgeExpiredAuthRecords } from '@app/auth';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createJobWorld, type World } from '../support/job-world.js';

let world: World;

beforeAll(async () => (world = await createJobWorld()));
afterAll(() => world.close());

describe('purgeExpiredAuthRecords', () => {
  it('deletes command lines whose code has expired, and no others', async () => {
    await world.rows(
      `INSERT INTO command_line_sign_in (device_code_hash, user_code_hash, machine, expires_at)
       VALUES (sha256('a'), sha256('1'), 'expired', now() - interval '1 second'),
              (sha256('b'), sha256('2'), 'waiting', now() + interval '1 minute')`,
    );
    expect(await purgeExpiredAuthRecords(world.dataSource)).toBe(1);
    expect(await world.rows('SELECT machine FROM command_line_sign_in')).toEqual([{ machine: 'waiting' }]);
  });
});
