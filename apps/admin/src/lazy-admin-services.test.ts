import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { LazyAdminServices } from './lazy-admin-services.js';

let dataDir: string;
beforeEach(async () => {
  dataDir = join(await mkdtemp(join(tmpdir(), 'operator-')), 'data');
  vi.stubEnv('DATA_DIR', dataDir);
  vi.stubEnv('DATABASE_URL', undefined);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(join(dataDir, '..'), { recursive: true, force: true });
});

it.each([
  ['with migrations', (context: LazyAdminServices) => context.open()],
  ['without migrations', (context: LazyAdminServices) => context.openWithoutMigrating()],
])('a command that needs a service, opened %s, creates none in an empty DATA_DIR', async (_, open) => {
  await expect(open(new LazyAdminServices())).rejects.toThrow(
    `There is no service in ${dataDir}. Set DATA_DIR or DATABASE_URL to those of the service.`,
  );
  expect(existsSync(dataDir)).toBe(false);
});

it.each([
  ['accounts create', (context: LazyAdminServices) => context.openOrCreate()],
  ['migrate and doctor', (context: LazyAdminServices) => context.openWithoutMigrating({ mayCreate: true })],
])('%s may be the first program in a DATA_DIR', async (_, open) => {
  // Stops the program where it would create the service.
  await writeFile(dataDir, '');
  await expect(open(new LazyAdminServices())).rejects.toThrow('is not a folder');
});
