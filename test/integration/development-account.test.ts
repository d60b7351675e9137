import { ApiKey } from '@app/database';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiKeys, BreachedPasswords, isOpenOneTimeLinkToken, Memberships, Sessions, Users } from '@app/auth';
import { loadConfig } from '@app/config';
import type { BootContext } from '@app/runtime';
import type { INestApplicationContext } from '@nestjs/common';
import { DataSource } from 'typeorm';
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  type MockInstance,
  vi,
} from 'vitest';
import { ensureDevelopmentAccount } from '../../apps/api/src/development-account.js';
import { createJobWorld, type World } from '../support/job-world.js';

const KEY_FILE = 'dev-api-key';
const LINK_FILE = 'dev-sign-in-link';

let world: World;
let folder: string;
let keys: ApiKeys;
let users: Users;
const logged = vi.fn();
let printed: MockInstance;
beforeAll(async () => void (world = await createJobWorld()));
afterAll(() => world.close());
beforeEach(async () => {
  await world.clear();
  await world.rows('DELETE FROM account');
  await world.rows('DELETE FROM app_user');
  folder = await mkdtemp(join(tmpdir(), 'first-start-'));
  keys = new ApiKeys(world.dataSource.getRepository(ApiKey), { hashingKey: Buffer.alloc(32) });
  const sessions = new Sessions(world.dataSource, { lifetimeSeconds: 600, idleSeconds: 600 });
  users = new Users(world.dataSource, sessions, new BreachedPasswords(null));
  logged.mockClear();
  printed = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
});
afterEach(async () => {
  printed.mockRestore();
  await rm(folder, { recursive: true, force: true });
});

function start(dataDir: string, env: Record<string, string> = {}): Promise<void> {
  const providers = new Map<unknown, unknown>([
    [DataSource, world.dataSource],
    [ApiKeys, keys],
    [Users, users],
    [Memberships, new Memberships(world.dataSource)],
  ]);
  const app = { get: (token: unknown) => providers.get(token) } as INestApplicationContext;
  const config = loadConfig({ DATA_DIR: dataDir, DEVELOPMENT_CREDITS: '5', ...env });
  const logger = { info: logged };
  return ensureDevelopmentAccount(app, { config, logger } as unknown as BootContext);
}

const listAccounts = () => world.rows('SELECT name FROM account');
const readLink = async (dataDir: string) => (await readFile(join(dataDir, LINK_FILE), 'utf8')).trim();
const readKey = async (dataDir: string) => (await readFile(join(dataDir, KEY_FILE), 'utf8')).trim();

describe('the development account', () => {
  it('concurrent first starts create one account with a valid key', async () => {
    await Promise.all([start(folder), start(folder), start(folder)]);
    expect(await world.rows('SELECT balance FROM account')).toEqual([{ balance: 5 }]);
    expect(await keys.verify(await readKey(folder))).not.toBeNull();
    expect((await stat(join(folder, KEY_FILE))).mode & 0o777).toBe(0o600);
  });

  it('the audit log says that the first start created the account, its key and its owner', async () => {
    await start(folder);
    expect(
      await world.rows(
        `SELECT action, actor_kind, actor_name, details FROM audit_event
         WHERE account_id = (SELECT id FROM account) ORDER BY action`,
      ),
    ).toEqual(
      [
        { action: 'account.created', details: { name: 'development' } },
        { action: 'key.created', details: { name: 'development' } },
        { action: 'member.added', details: { role: 'owner' } },
      ].map((event) => ({ ...event, actor_kind: 'operator', actor_name: 'first start' })),
    );
  });

  it('the first start prints the path of the key file and not the key', async () => {
    await start(folder);
    const output = JSON.stringify([...logged.mock.calls, ...printed.mock.calls]);
    expect(output).toContain(join(folder, KEY_FILE));
    expect(output).not.toContain(await readKey(folder));
  });

  it.each([
    ['an external database', { DATABASE_URL: 'postgres://db.internal/zephyr' }],
    ['a public URL', { PUBLIC_URL: 'https://speech.example.com' }],
    ['DEVELOPMENT_ACCOUNT turned off', { DEVELOPMENT_ACCOUNT: 'false' }],
  ])('a start with %s creates no account and logs the command that creates one', async (_, env) => {
    await start(folder, env);
    expect(await listAccounts()).toEqual([]);
    await expect(stat(join(folder, KEY_FILE))).rejects.toThrow('ENOENT');
    expect(JSON.stringify(logged.mock.calls)).toContain('accounts create');
  });

  it('DEVELOPMENT_ACCOUNT creates the account also in an external database', async () => {
    await start(folder, { DATABASE_URL: 'postgres://db.internal/zephyr', DEVELOPMENT_ACCOUNT: 'true' });
    expect(await listAccounts()).toEqual([{ name: 'development' }]);
  });

  it('the first start creates a missing data directory', async () => {
    const fresh = join(folder, 'not', 'there');
    await start(fresh);
    expect((await stat(join(fresh, KEY_FILE))).size).toBeGreaterThan(60);
  });
});

describe('the owner of the development account', () => {
  it('the sign-in link is in a file that only its owner can read, and is not logged', async () => {
    await Promise.all([start(folder), start(folder)]);
    expect(
      await world.rows(
        'SELECT email, role FROM app_user JOIN membership ON user_id = app_user.id JOIN account ON account.id = account_id',
      ),
    ).toEqual([{ email: 'owner@localhost', role: 'owner' }]);
    const link = await readLink(folder);
    expect(link).toMatch(/^http:\/\/127\.0\.0\.1:3000\/console\/sign-in#[\w-]{43}$/);
    expect(await isOpenOneTimeLinkToken(world.dataSource.manager, link.split('#')[1] ?? '')).toBe(true);
    expect((await stat(join(folder, LINK_FILE))).mode & 0o777).toBe(0o600);
    const output = JSON.stringify([...logged.mock.calls, ...printed.mock.calls]);
    expect(output).not.toContain(link.split('#')[1]);
  });

  it('a later start keeps a valid link, replaces a used one, and removes the file when the owner has a password', async () => {
    await start(folder);
    const first = await readLink(folder);
    await start(folder);
    expect(await readLink(folder)).toBe(first);
    await world.rows('DELETE FROM sign_in_link');
    await start(folder);
    expect(await readLink(folder)).not.toBe(first);
    await world.rows("UPDATE app_user SET password_hash = 'set'");
    await start(folder);
    await expect(stat(join(folder, LINK_FILE))).rejects.toThrow('ENOENT');
  });
});
