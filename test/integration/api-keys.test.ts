import { ApiKey, Membership, User } from '@app/database';
import { ApiKeys, ConsoleApiKeys, type CreatedApiKey, setAccountSuspended } from '@app/auth';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createJobWorld, type World } from '../support/job-world.js';

const hashingKey = Buffer.alloc(32, 'of this service');

let world: World;
let keys: ApiKeys;
beforeAll(async () => {
  world = await createJobWorld();
  keys = new ApiKeys(world.dataSource.getRepository(ApiKey), { hashingKey });
});
afterAll(() => world.close());

const newKey = (): Promise<CreatedApiKey> => keys.create(world.accountId, 'test');

describe('the keys of an account in the console', () => {
  const insertKeys = (accountId: string, count: number, revokedAt: string, expiresAt = 'NULL') =>
    world.rows(
      `INSERT INTO api_key (id, account_id, name, hash, revoked_at, expires_at)
       SELECT $2 || n, $1, 'key ' || n, sha256(n::text::bytea), ${revokedAt}, ${expiresAt} FROM generate_series(1, $3) n`,
      ...[accountId, `${crypto.randomUUID()}-`, count],
    );

  async function openAccount() {
    const accountId = await world.newAccount();
    const [userId, { manager }] = [crypto.randomUUID(), world.dataSource];
    await manager.insert(User, { id: userId, email: `${userId}@example.org`, name: 'Vera' });
    await manager.insert(Membership, { userId, accountId, role: 'owner' });
    const consoleKeys = new ConsoleApiKeys(world.dataSource, keys);
    const actor = { kind: 'user', id: userId, name: 'Vera', address: null, requestId: null } as const;
    const create = () => consoleKeys.create({ accountId, name: 'new', userId, expiresAt: null }, actor);
    return { accountId, consoleKeys, create };
  }

  it('are at most a thousand beside expired ones, which are listed like revoked ones', async () => {
    const { accountId, consoleKeys, create } = await openAccount();
    await insertKeys(accountId, 150, `now() - n * interval '2 hours'`);
    await insertKeys(accountId, 300, 'NULL', `now() - n * interval '2 hours' + interval '1 hour'`);
    await insertKeys(accountId, 999, 'NULL', `now() + interval '1 day'`);
    await create();
    await expect(create()).rejects.toMatchObject({ code: 'conflict' });
    const listed = await consoleKeys.list(accountId);
    const countOf = (isEnded: (key: (typeof listed)[number]) => boolean) => listed.filter(isEnded).length;
    expect(listed).toHaveLength(1_200);
    expect(countOf(({ revokedAt }) => revokedAt !== null)).toBe(100);
    expect(countOf(({ expiresAt }) => expiresAt !== null && expiresAt < new Date())).toBe(100);
  });

  it('are at most a thousand beside revoked ones, of which the last two hundred are listed', async () => {
    const { accountId, consoleKeys, create } = await openAccount();
    await insertKeys(accountId, 300, `now() - n * interval '1 hour'`);
    await insertKeys(accountId, 999, 'NULL');
    const { keyId } = await create();
    await expect(create()).rejects.toMatchObject({ code: 'conflict' });
    const listed = await consoleKeys.list(accountId);
    expect(listed).toHaveLength(1_200);
    expect(listed[0]).toMatchObject({ id: keyId });
    const revoked = listed.flatMap(({ name, revokedAt }) => (revokedAt ? [name] : []));
    expect(revoked).toContain('key 200');
    expect(revoked).not.toContain('key 201');
    await keys.revoke(keyId);
    await create();
  });
});

describe('an API key', () => {
  it('a valid key authenticates as its account', async () => {
    const { keyId, apiKey } = await newKey();
    expect(await keys.verify(apiKey)).toEqual({
      accountId: world.accountId,
      keyId,
      keyName: 'test',
      limitOverrides: null,
    });
  });

  it('keys that are verified concurrently each authenticate as their own account, and revoked ones fail', async () => {
    const valid = await Promise.all(Array.from({ length: 12 }, newKey));
    const revoked = valid.slice(0, 4);
    for (const { keyId } of revoked) await keys.revoke(keyId);
    const requested = [...valid, ...valid.toReversed()];
    const callers = await Promise.all(requested.map(({ apiKey }) => keys.verify(apiKey)));
    expect(callers.map((caller) => caller?.keyId)).toEqual(
      requested.map((key) => (revoked.includes(key) ? undefined : key.keyId)),
    );
  });

  it('a revoked key is rejected at once by the guard and by the revocation check of streams', async () => {
    const [revoked, valid] = [await newKey(), await newKey()];
    expect(await keys.revoke(revoked.keyId)).toBe(true);
    expect(await keys.verify(revoked.apiKey)).toBeNull();
    expect(await keys.verify(valid.apiKey)).not.toBeNull();
    expect(await keys.findValidKeyIds([revoked.keyId, valid.keyId])).toEqual(new Set([valid.keyId]));
    expect(await keys.revoke(revoked.keyId)).toBe(false);
  });

  it('a key of a suspended account is rejected at once, and accepted again when the account is resumed', async () => {
    const accountId = await world.newAccount();
    const { keyId, apiKey } = await keys.create(accountId, 'test');
    const valid = await newKey();
    expect(await setAccountSuspended(world.dataSource.manager, accountId, true)).toBe(true);
    const suspended = { code: 'invalid_api_key', status: 401, detail: expect.stringContaining('suspended') };
    await expect(keys.verify(apiKey)).rejects.toMatchObject(suspended);
    expect(await keys.findValidKeyIds([keyId, valid.keyId])).toEqual(new Set([valid.keyId]));
    expect(await setAccountSuspended(world.dataSource.manager, accountId, true)).toBe(false);
    expect(await setAccountSuspended(world.dataSource.manager, accountId, false)).toBe(true);
    expect(await keys.verify(apiKey)).toMatchObject({ accountId, keyId });
    expect(await keys.findValidKeyIds([keyId])).toEqual(new Set([keyId]));
  });

  it('a key with a wrong secret does not reveal that its account is suspended', async () => {
    const accountId = await world.newAccount();
    const { keyId } = await keys.create(accountId, 'test');
    // A well-formed key whose row belongs to the suspended account and has another secret.
    const other = await newKey();
    await world.rows(
      `UPDATE api_key SET account_id = $3, hash = (SELECT hash FROM api_key WHERE id = $2)
       WHERE id = $1`,
      other.keyId,
      keyId,
      accountId,
    );
    await setAccountSuspended(world.dataSource.manager, accountId, true);
    expect(await keys.verify(other.apiKey)).toBeNull();
  });

  it('a key with a valid id and another secret is rejected', async () => {
    const [one, other] = [await newKey(), await newKey()];
    // A well-formed key whose row has the hash of another secret.
    await world.rows(
      'UPDATE api_key SET hash = (SELECT hash FROM api_key WHERE id = $2) WHERE id = $1',
      one.keyId,
      other.keyId,
    );
    expect(await keys.verify(one.apiKey)).toBeNull();
    expect(await keys.verify(other.apiKey)).toMatchObject({ keyId: other.keyId });
  });

  it('a key is rejected by a service with another hashing key', async () => {
    const { apiKey } = await newKey();
    const keysWithOtherHashingKey = new ApiKeys(world.dataSource.getRepository(ApiKey), {
      hashingKey: Buffer.alloc(32, 'of another'),
    });
    expect(await keysWithOtherHashingKey.verify(apiKey)).toBeNull();
  });

  it('a key is stored only as a hash', async () => {
    const { keyId, apiKey } = await newKey();
    const secret = apiKey.split('_')[2]?.slice(0, 40) ?? '';
    const row = await world.row<{ text: string }>(
      `SELECT k::text AS text FROM api_key k WHERE id = $1`,
      keyId,
    );
    expect(row?.text).toContain(keyId);
    expect(secret).toHaveLength(40);
    expect(row?.text).not.toContain(secret);
    expect(row?.text).not.toContain(Buffer.from(secret).toString('hex'));
  });
});
