import { randomBytes } from 'node:crypto';
import {
  createRowEncryptors,
  ENCRYPTED_WEBHOOK_BODIES_TABLE,
  DecryptionError,
  RowEncryptor,
  Encryptor,
} from '@app/database';
import { WebhookBodyEncryptor, WebhookSigningSecretService } from '@app/webhooks';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { startReceiver, status } from './outbound.receiver.js';
import { WebhookFixture } from './webhooks.fixture.js';

let fixture: WebhookFixture;

beforeAll(async () => {
  fixture = await WebhookFixture.open();
});
afterAll(() => fixture.close());

describe('webhook signing secrets', () => {
  it('concurrent first calls create one secret', async () => {
    const accountId = await fixture.anotherAccount();
    const revealed = await Promise.all(
      Array.from({ length: 8 }, () => fixture.secrets.readOrCreateSecret(accountId)),
    );
    expect(new Set(revealed).size).toBe(1);
    expect(revealed[0]).toMatch(/^whsec_[\w+/]{43}=$/);
  });

  it('every account has its own secret, which stays until it is rotated', async () => {
    const [one, two] = [await fixture.anotherAccount(), await fixture.anotherAccount()];
    const first = await fixture.secrets.readOrCreateSecret(one);
    expect(await fixture.secrets.readOrCreateSecret(two)).not.toBe(first);
    expect(await fixture.secrets.readOrCreateSecret(one)).toBe(first);
    const { secret: renewed } = await fixture.secrets.rotate(one);
    expect(renewed).not.toBe(first);
    expect(await fixture.secrets.readOrCreateSecret(one)).toBe(renewed);
  });

  it('the database holds no secret in plain text', async () => {
    const secret = await fixture.secrets.readOrCreateSecret(fixture.accountId);
    const rows: { sealed: Buffer }[] = await fixture.dataSource.query('SELECT sealed FROM webhook_secret');
    expect(rows.length).toBeGreaterThan(0);
    for (const { sealed } of rows) expect(sealed.includes(secret.slice(6))).toBe(false);
  });

  it('a secret cannot be decrypted in the row of another account', async () => {
    const [one, two] = [await fixture.anotherAccount(), await fixture.anotherAccount()];
    await fixture.secrets.readOrCreateSecret(one);
    await fixture.secrets.readOrCreateSecret(two);
    await fixture.dataSource.query(
      `UPDATE webhook_secret SET sealed = (SELECT sealed FROM webhook_secret WHERE account_id = $1) WHERE account_id = $2`,
      [one, two],
    );
    await expect(fixture.secrets.readOrCreateSecret(two)).rejects.toBeInstanceOf(DecryptionError);
    await fixture.secrets.rotate(two);
  });

  it('a secret is re-encrypted under the new key when it is next used', async () => {
    const ownFixture = await WebhookFixture.open();
    try {
      const secret = await ownFixture.secrets.readOrCreateSecret(ownFixture.accountId);
      const key = randomBytes(32);
      const secretsWithOtherKey = new WebhookSigningSecretService(ownFixture.dataSource, new Encryptor(key));
      await expect(secretsWithOtherKey.readOrCreateSecret(ownFixture.accountId)).rejects.toBeInstanceOf(
        DecryptionError,
      );
      const moving = new WebhookSigningSecretService(
        ownFixture.dataSource,
        new Encryptor(key, [ownFixture.key]),
      );
      expect(await moving.readOrCreateSecret(ownFixture.accountId)).toBe(secret);
      expect(await secretsWithOtherKey.readOrCreateSecret(ownFixture.accountId)).toBe(secret);
    } finally {
      await ownFixture.close();
    }
  });
});

describe('a stored webhook body', () => {
  it('the body is encrypted between attempts and is the same after re-encryption under another key', async () => {
    const receiver = await startReceiver(status(500));
    onTestFinished(() => receiver.close());
    const waiting = { backoffSeconds: [3_600] };
    await fixture.endedJob(receiver.url);
    await fixture.dispatcher(waiting).dispatchOnce();
    const [text = ''] = receiver.received.map(({ body }) => String(body));
    expect(text).toContain('https://store.example/');
    const [dump] = await fixture.dataSource.query<{ row: string }[]>(
      'SELECT t::text AS row FROM webhook_delivery t WHERE sealed IS NOT NULL',
    );
    for (const form of ['store.example', Buffer.from('store.example').toString('hex')])
      expect(dump?.row).not.toContain(form);

    const newKey = randomBytes(32);
    const bodies = new WebhookBodyEncryptor(fixture.dataSource, new Encryptor(newKey));
    // The same backoff, because on a busy machine a third attempt could become due before the second is checked.
    const dispatcherWithLostKey = fixture.dispatcher({ ...waiting, bodies });
    await fixture.makeDue();
    await dispatcherWithLostKey.dispatchOnce();
    expect(fixture.warnings.splice(0)).toMatchObject([{ error: expect.any(DecryptionError) as unknown }]);
    const sealer = new Encryptor(newKey, [fixture.key]);
    expect(
      await new RowEncryptor(fixture.dataSource, sealer, ENCRYPTED_WEBHOOK_BODIES_TABLE).reencryptAll(),
    ).toBe(1);
    await fixture.makeDue();
    await dispatcherWithLostKey.dispatchOnce();
    expect(receiver.received.map(({ body }) => String(body))).toEqual([text, text]);
    await fixture.clear();
  });

  it('a delivery whose key is missing is claimed again after delays that double, up to five minutes, and counts no attempt', async () => {
    const receiver = await startReceiver(status(500));
    onTestFinished(() => receiver.close());
    const jobId = await fixture.endedJob(receiver.url);
    await fixture.dispatcher({ backoffSeconds: [3_600] }).dispatchOnce();
    const bodies = new WebhookBodyEncryptor(fixture.dataSource, new Encryptor(randomBytes(32)));
    const dispatcherWithLostKey = fixture.dispatcher({ bodies });
    fixture.warnings.length = 0;
    const delays: number[] = [];
    for (let claim = 0; claim < 6; claim += 1) {
      await fixture.makeDue();
      expect(await dispatcherWithLostKey.dispatchOnce()).toBe(1);
      expect(await dispatcherWithLostKey.dispatchOnce(), 'not due yet').toBe(0);
      const [row] = await fixture.dataSource.query<{ seconds: number }[]>(
        `SELECT round(extract(epoch FROM next_attempt_at - now()))::int AS seconds FROM webhook_delivery`,
      );
      delays.push(row?.seconds ?? 0);
    }
    expect(delays).toEqual([30, 60, 120, 240, 300, 300]);
    expect(await fixture.deliveryOf(jobId)).toMatchObject({ state: 'pending', attempts: 1 });
    expect(fixture.warnings.splice(0)).toHaveLength(6);
    await fixture.clear();
  });
});

describe('the command secrets rotate', () => {
  const BATCH_SIZE = 3;
  let ownFixture: WebhookFixture;
  let revealed: Map<string, string>;
  const newKey = randomBytes(32);
  const readKeyIds = () =>
    ownFixture.dataSource.query<{ key_id: string }[]>('SELECT DISTINCT key_id FROM webhook_secret');
  const createSecrets = (key: Buffer, ...retired: Buffer[]) =>
    new WebhookSigningSecretService(ownFixture.dataSource, new Encryptor(key, retired));
  const createTables = (key: Buffer, ...retired: Buffer[]) =>
    createRowEncryptors(ownFixture.dataSource, new Encryptor(key, retired));
  const reencryptAll = async (tables: RowEncryptor[], batch = BATCH_SIZE) => {
    let moved = 0;
    for (const table of tables) moved += await table.reencryptAll(batch);
    return moved;
  };
  const countOutdated = async (tables: RowEncryptor[]) => {
    const counts = await Promise.all(tables.map((table) => table.countOutdated()));
    return counts.reduce((total, count) => total + count, 0);
  };
  const readAllSecrets = (secrets: WebhookSigningSecretService) =>
    Promise.all([...revealed.keys()].map((account) => secrets.readOrCreateSecret(account)));

  beforeAll(async () => {
    ownFixture = await WebhookFixture.open();
    revealed = new Map();
    for (let account = 0; account < 3 * BATCH_SIZE + 1; account += 1) {
      const accountId = await ownFixture.anotherAccount();
      revealed.set(accountId, await ownFixture.secrets.readOrCreateSecret(accountId));
    }
  });
  afterAll(() => ownFixture.close());

  it('the rotation stops at a secret that no key decrypts and names its account, and other secrets keep their keys', async () => {
    const [first = ''] = [...revealed.keys()].toSorted();
    await expect(reencryptAll(createTables(newKey))).rejects.toThrow(first);
    expect(await readKeyIds()).toHaveLength(1);
  });

  it('the rotation resumes after an interruption, in batches, and every secret stays readable with both keys', async () => {
    const both = createTables(newKey, ownFixture.key);
    const broken = [...revealed.keys()].toSorted()[BATCH_SIZE + 1] ?? expect.unreachable('enough accounts');
    const storedRow = (
      await ownFixture.dataSource.query<{ sealed: Buffer }[]>(
        'SELECT sealed FROM webhook_secret WHERE account_id = $1',
        [broken],
      )
    )[0]?.sealed;
    const put = (sealed: Buffer | undefined) =>
      ownFixture.dataSource.query('UPDATE webhook_secret SET sealed = $2 WHERE account_id = $1', [
        broken,
        sealed,
      ]);
    await put(randomBytes(60));
    await expect(reencryptAll(both)).rejects.toThrow(broken);
    expect(await readKeyIds()).toHaveLength(2);
    await put(storedRow);
    expect(await countOutdated(both)).toBe(revealed.size - BATCH_SIZE - 1);
    expect(await reencryptAll(both)).toBe(revealed.size - BATCH_SIZE - 1);
    expect([await countOutdated(both), await reencryptAll(both)]).toEqual([0, 0]);
    expect(await readKeyIds()).toHaveLength(1);
    expect(await readAllSecrets(createSecrets(newKey))).toEqual([...revealed.values()]);
  });

  it('previous secrets are re-encrypted too, one per account', async () => {
    const next = randomBytes(32);
    const [, accountId = ''] = revealed.keys();
    const old = await createSecrets(newKey).readOrCreateSecret(accountId);
    const { secret } = await createSecrets(newKey).rotate(accountId, 60);
    expect(await createSecrets(newKey).readOrCreateCurrent(accountId)).toEqual({ secret, previous: old });
    await reencryptAll(createTables(next, newKey));
    expect(await createSecrets(next).readOrCreateCurrent(accountId)).toEqual({ secret, previous: old });
    await reencryptAll(createTables(newKey, next));
    const twice = await createSecrets(newKey).rotate(accountId, 60);
    expect(await createSecrets(newKey).readOrCreateCurrent(accountId)).toEqual({
      secret: twice.secret,
      previous: secret,
    });
  });

  it('a concurrent rotation of a signing secret is not overwritten with the old one', async () => {
    const next = randomBytes(32);
    const [accountId = ''] = revealed.keys();
    let reencryption: Promise<number> | undefined;
    const { secret } = await createSecrets(next, newKey).rotate(accountId, 0, async () => {
      reencryption = reencryptAll(createTables(next, newKey), 1);
      const waitsForRotation = () =>
        ownFixture.dataSource.query<object[]>(
          `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        );
      await expect.poll(waitsForRotation, { timeout: 10_000, interval: 5 }).not.toEqual([]);
    });
    await reencryption;
    expect(await createSecrets(next).readOrCreateSecret(accountId)).toBe(secret);
  });
});
