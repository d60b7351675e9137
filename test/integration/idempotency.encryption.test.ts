import { randomBytes } from 'node:crypto';
import {
  inTransaction,
  ENCRYPTED_IDEMPOTENT_RESPONSES_TABLE,
  DecryptionError,
  RowEncryptor,
  Encryptor,
} from '@app/database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApiOptions } from '../../apps/api/src/api-options.js';
import { IdempotencyService } from '../../apps/api/src/idempotency/idempotency.service.js';
import { ResponseCipher } from '../../apps/api/src/idempotency/response-cipher.js';
import { createJobWorld, type World } from '../support/job-world.js';

const ROUTE = '/api/v1/upload';
const BODY = { file_size: 1 };
const KEY = randomBytes(32);

let world: World;
beforeAll(async () => {
  world = await createJobWorld();
});
afterAll(() => world.close());

const createResponseEncryptor = (key: Buffer, ...retired: Buffer[]) =>
  new RowEncryptor(world.dataSource, new Encryptor(key, retired), ENCRYPTED_IDEMPOTENT_RESPONSES_TABLE);
const idempotency = () =>
  new IdempotencyService(world.dataSource, new ResponseCipher(createResponseEncryptor(KEY)), {
    idempotency: { retentionSeconds: 3_600, leaseSeconds: 15 },
  } as ApiOptions);

let named = 0;
const newKey = () => `key ${(named += 1)}`;
const createRequest = (key: string) => ({
  accountId: world.accountId,
  route: ROUTE,
  key,
  markReplayed: () => undefined,
});

describe('the stored response of an idempotency key', () => {
  const UPLOAD_URL = 'https://example.com/objects/a?signature=0123456789abcdef';
  const storeResponse = (key: string, response: object) =>
    idempotency().executeOnce(createRequest(key), BODY, async (saveResponse) => {
      await inTransaction(world.dataSource, async (tx) => saveResponse?.(tx, response));
      return response;
    });

  it('the response is encrypted and cannot be decrypted in the row of another key', async () => {
    const key = newKey();
    await storeResponse(key, { upload_url: UPLOAD_URL });
    const dump = await world.row<{ row: string }>(
      'SELECT t::text AS row FROM idempotency_key t WHERE key = $1',
      key,
    );
    expect(dump?.row).not.toContain('signature');
    expect(dump?.row).not.toContain(Buffer.from('signature').toString('hex'));
    const [replayedRequest, other] = [createRequest(key), createRequest(newKey())];
    expect(await idempotency().executeOnce(replayedRequest, BODY, () => expect.unreachable())).toEqual({
      upload_url: UPLOAD_URL,
    });
    await storeResponse(other.key, {});
    await world.rows(
      'UPDATE idempotency_key SET sealed = (SELECT sealed FROM idempotency_key WHERE key = $1) WHERE key = $2',
      key,
      other.key,
    );
    await expect(idempotency().executeOnce(other, BODY, () => expect.unreachable())).rejects.toBeInstanceOf(
      DecryptionError,
    );
    await world.rows('DELETE FROM idempotency_key WHERE key = $1', other.key);
  });

  it('the response with 640 signed URLs is compressed before it is encrypted', async () => {
    const key = newKey();
    const parts = Array.from({ length: 640 }, (_, at) => ({
      part_number: at + 1,
      url: `${UPLOAD_URL}${randomBytes(32).toString('hex')}&part=${at + 1}`,
    }));
    await storeResponse(key, { parts });
    const row = await world.row<{ bytes: number }>(
      'SELECT octet_length(sealed) AS bytes FROM idempotency_key WHERE key = $1',
      key,
    );
    expect(row?.bytes).toBeGreaterThan(640 * 32);
    expect(row?.bytes).toBeLessThan(640 * 80);
  });

  it('the response is re-encrypted under a new key, and a row that no key decrypts is reported', async () => {
    const next = randomBytes(32);
    const keys = [newKey(), newKey(), newKey()];
    for (const key of keys) await storeResponse(key, { key });
    const encryptorWithBothKeys = createResponseEncryptor(next, KEY);
    const outdated = await encryptorWithBothKeys.countOutdated();
    expect(outdated).toBeGreaterThanOrEqual(keys.length);
    await expect(createResponseEncryptor(next).reencryptAll()).rejects.toThrow(/Answer to .* under the key/);
    expect(await encryptorWithBothKeys.reencryptAll(2)).toBe(outdated);
    expect(await encryptorWithBothKeys.countOutdated()).toBe(0);
    const cipherWithNewKey = new ResponseCipher(createResponseEncryptor(next));
    for (const key of keys) {
      const row = await world.row<{ keyId: string; sealed: Buffer }>(
        'SELECT key_id AS "keyId", sealed FROM idempotency_key WHERE key = $1',
        key,
      );
      expect(cipherWithNewKey.decrypt(createRequest(key), row ?? expect.unreachable())).toBe(
        JSON.stringify({ key }),
      );
    }
    expect(await createResponseEncryptor(KEY, next).reencryptAll()).toBe(outdated);
  });
});
