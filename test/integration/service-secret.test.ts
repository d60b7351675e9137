import { chmod, chown, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiKeys } from '@app/auth';
import { loadConfig } from '@app/config';
import { ApiKey, queryRows } from '@app/database';
import {
  replaceServiceSecretFingerprint,
  prepareDatabaseAndCreateBootContext,
  createLogger,
  createHashingKeyEncryptor,
  ServiceSecretFile,
} from '@app/runtime';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createJobWorld, type World } from '../support/job-world.js';

const [FIRST, SECOND, OTHER] = ['first', 'second', 'other'].map((name) => name.padEnd(32, '-')) as [
  string,
  string,
  string,
];

let world: World;
let folder: string;
beforeAll(async () => {
  world = await createJobWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'service-secret-'));
  await world.dataSource.query('TRUNCATE installation, hashing_key');
});
afterEach(() => rm(folder, { recursive: true }));

/** Boots a program with these secrets. */
async function bootProgram(current?: string, ...fallbacks: string[]) {
  const config = loadConfig({
    DATA_DIR: folder,
    DATABASE_URL: world.url,
    REDIS_URL: 'redis://127.0.0.1:1',
    ...(current !== undefined && { SERVICE_SECRET: current }),
    SERVICE_SECRET_FALLBACKS: fallbacks.join(','),
  });
  const logger = createLogger({ level: 'silent', pretty: false, program: 'admin' });
  const context = await prepareDatabaseAndCreateBootContext({ program: 'admin', config, logger });
  await context.release();
  return context;
}

/** Does the same as `secrets rotate`. */
async function rotateSecret(current: string, ...fallbacks: string[]): Promise<void> {
  const { secrets } = await bootProgram(current, ...fallbacks);
  await createHashingKeyEncryptor(world.dataSource, secrets).reencryptAll();
  expect(await replaceServiceSecretFingerprint(world.dataSource, secrets)).toBe(true);
}

describe('a rotated service secret', () => {
  it('every API key stays valid, used or not', async () => {
    const { hashingKey } = await bootProgram(FIRST);
    const { apiKey, keyId } = await new ApiKeys(world.dataSource.getRepository(ApiKey), {
      hashingKey,
    }).create(world.accountId, 'x');
    await rotateSecret(SECOND, FIRST);
    const after = await bootProgram(SECOND);
    const keys = new ApiKeys(world.dataSource.getRepository(ApiKey), { hashingKey: after.hashingKey });
    expect(await keys.verify(apiKey)).toMatchObject({ keyId });
    await expect(bootProgram(FIRST)).rejects.toThrow(/SERVICE_SECRET is not the one/);
  });

  it('the old secret is required until the rotation is complete', async () => {
    await bootProgram(FIRST);
    await bootProgram(FIRST, SECOND);
    await bootProgram(SECOND, FIRST);
    await expect(bootProgram(SECOND)).rejects.toThrow(/SERVICE_SECRET_FALLBACKS/);
    await expect(bootProgram(OTHER, SECOND)).rejects.toThrow(/SERVICE_SECRET is not the one/);
  });

  it('a program with a foreign secret is refused before it migrates the database', async () => {
    await bootProgram(FIRST);
    await world.dataSource.undoLastMigration({ transaction: 'each' });
    const listApplied = () => world.dataSource.query('SELECT * FROM schema_migration ORDER BY id');
    const before = await listApplied();
    await expect(bootProgram(OTHER)).rejects.toThrow(/SERVICE_SECRET is not the one/);
    expect(await listApplied()).toEqual(before);
    await bootProgram(SECOND, FIRST);
    expect(await listApplied()).toHaveLength(before.length + 1);
  });

  it('a fallback secret verifies signatures and does not sign', async () => {
    const [signed, accepted] = (await bootProgram(FIRST, SECOND)).deriveKeys('address-signing');
    expect((await bootProgram(FIRST)).deriveKeys('address-signing')).toEqual([signed]);
    await rotateSecret(SECOND, FIRST);
    expect((await bootProgram(SECOND)).deriveKeys('address-signing')).toEqual([accepted]);
  });

  it('the API keys of an earlier version stay valid, whichever secret is current at the first start', async () => {
    const { hashingKey } = await bootProgram(FIRST);
    await world.dataSource.query('TRUNCATE hashing_key');
    expect((await bootProgram(SECOND, FIRST)).hashingKey).toEqual(hashingKey);
  });

  it('neither the secret nor the key derived from it is stored in the database', async () => {
    const { hashingKey } = await bootProgram(FIRST);
    const rows = await queryRows<{ row: string }>(
      world.dataSource,
      'SELECT t::text AS row FROM hashing_key t',
    );
    expect(rows).toHaveLength(1);
    expect(rows[0]?.row).not.toContain(hashingKey.toString('hex'));
  });
});

describe('ServiceSecretFile', () => {
  it('concurrent starts create one file with one secret that only its owner can read', async () => {
    const file = new ServiceSecretFile(folder);
    const secretLists = await Promise.all(Array.from({ length: 6 }, () => file.readOrCreate()));
    expect(new Set(secretLists.map(String)).size).toBe(1);
    expect(secretLists[0]).toHaveLength(1);
    expect((await stat(file.path)).mode & 0o777).toBe(0o600);
  });

  it('the file holds one secret per line, and the first is current', async () => {
    const file = new ServiceSecretFile(folder);
    await file.replace([FIRST, SECOND]);
    expect(await file.readOrCreate()).toEqual([FIRST, SECOND]);
    expect((await stat(file.path)).mode & 0o777).toBe(0o600);
    expect((await bootProgram()).secrets).toEqual([FIRST, SECOND]);
    expect((await bootProgram(undefined, OTHER)).secrets).toEqual([FIRST, SECOND, OTHER]);
  });

  it('a replaced file keeps its owner and mode', async () => {
    const file = new ServiceSecretFile(folder);
    await file.create([FIRST]);
    await chmod(file.path, 0o640);
    if (process.getuid?.() === 0) await chown(file.path, 54_321, 54_322);
    const { uid, gid, mode } = await stat(file.path);
    await file.replace([SECOND, FIRST]);
    expect(await stat(file.path)).toMatchObject({ uid, gid, mode });
    expect(await readFile(file.path, 'utf8')).toBe(`${SECOND}\n${FIRST}`);
  });

  it('a damaged file is reported with its path and not overwritten', async () => {
    const file = new ServiceSecretFile(folder);
    await writeFile(file.path, 'short\n');
    await expect(bootProgram()).rejects.toThrow(file.path);
    expect(await readFile(file.path, 'utf8')).toBe('short\n');
  });
});
