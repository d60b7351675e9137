import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiKeys } from '@app/auth';
import type { Foundation } from '@app/runtime';
import type { INestApplicationContext } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DEVELOPMENT_KEY_FILE, makeDevelopmentAccount } from '../../apps/api/src/first-start.js';
import { jobWorld, type World } from '../support/job-world.js';

let world: World;
let folder: string;
let keys: ApiKeys;
beforeEach(async () => {
  world = await jobWorld();
  await world.rows('DELETE FROM account');
  folder = await mkdtemp(join(tmpdir(), 'first-start-'));
  keys = new ApiKeys(world.dataSource, { hashingKey: Buffer.alloc(32) });
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
});
afterEach(async () => {
  vi.restoreAllMocks();
  await rm(folder, { recursive: true, force: true });
  await world.close();
});

function start(dataDir: string): Promise<void> {
  const parts = new Map<unknown, unknown>([
    [DataSource, world.dataSource],
    [ApiKeys, keys],
  ]);
  const app = { get: (token: unknown) => parts.get(token) } as INestApplicationContext;
  const config = { service: { dataDir }, billing: { developmentCredits: 5 } };
  return makeDevelopmentAccount(app, { config } as Foundation);
}

describe('the first start', () => {
  it('makes one organisation with a key that works, however many programs start at once', async () => {
    await Promise.all([start(folder), start(folder), start(folder)]);
    expect(await world.rows('SELECT balance FROM account')).toEqual([{ balance: 5 }]);
    const path = join(folder, DEVELOPMENT_KEY_FILE);
    expect(await keys.verify((await readFile(path, 'utf8')).trim())).not.toBeNull();
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it('makes the data folder where nothing else has needed one', async () => {
    const fresh = join(folder, 'not', 'there');
    await start(fresh);
    expect((await stat(join(fresh, DEVELOPMENT_KEY_FILE))).size).toBeGreaterThan(60);
  });
});
