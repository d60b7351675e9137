import { randomBytes } from 'node:crypto';
import { Encryptor } from '@app/database';
import { WebhookSigningSecretService } from '@app/webhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkDatabaseClock } from '../../apps/admin/src/doctor/clock-checks.js';
import { checkEncryptionKeysPresent } from '../../apps/admin/src/doctor/database-checks.js';
import { createJobWorld, type World } from '../support/job-world.js';

let world: World;
beforeAll(async () => void (world = await createJobWorld()));
afterAll(() => world.close());

describe('the doctor checks of a database', () => {
  it('the clock check compares the clocks of Postgres and the machine', async () => {
    expect(await checkDatabaseClock(world.dataSource)).toMatchObject({ status: 'ok' });
    for (const [seconds, side] of [
      [3600, 'ahead of'],
      [-3600, 'behind'],
    ] as const)
      expect(await checkDatabaseClock(world.dataSource, () => Date.now() + seconds * 1000)).toMatchObject({
        status: 'warning',
        detail: expect.stringMatching(new RegExp(`^this machine is 3(59|60)\\d s ${side} Postgres$`)),
        advice: expect.stringMatching(/chrony.*NTP/),
      });
  });

  it('the encryption check names the missing keys and the number of rows per table that need them', async () => {
    const [earlier, current] = [new Encryptor(randomBytes(32)), new Encryptor(randomBytes(32))];
    for (const account of [world.accountId, await world.newAccount()])
      await new WebhookSigningSecretService(world.dataSource, earlier).readOrCreateSecret(account);
    const { keyId, sealed } = earlier.encrypt(Buffer.from('{}'), 'any');
    await world.rows(
      `INSERT INTO idempotency_key (account_id, route, key, claim, fingerprint, key_id, sealed, expires_at)
       VALUES ($1, '/upload', 'k', gen_random_uuid(), 'f', $2, $3, now())`,
      ...[world.accountId, keyId, sealed],
    );
    expect(await checkEncryptionKeysPresent(world.dataSource, earlier)).toMatchObject({ status: 'ok' });
    expect(await checkEncryptionKeysPresent(world.dataSource, current)).toMatchObject({
      status: 'problem',
      detail: `missing: key ${keyId}, needed by 1 of idempotency_key (stored responses), 2 of webhook_secret (webhook signing secrets)`,
      advice: expect.stringContaining('ENCRYPTION_KEYS'),
    });
  });
});
