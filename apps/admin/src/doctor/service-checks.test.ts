import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { LazyAdminServices } from '../lazy-admin-services.js';
import { runServiceChecks } from './service-checks.js';

let dataDir: string;
beforeEach(async () => {
  dataDir = join(await mkdtemp(join(tmpdir(), 'doctor-')), 'data');
  for (const [name, value] of Object.entries({ DATA_DIR: dataDir, SERVICE_SECRET: 's'.repeat(32) }))
    vi.stubEnv(name, value);
  vi.stubEnv('DATABASE_URL', undefined);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(join(dataDir, '..'), { recursive: true, force: true });
});

it('doctor blames the data folder, not DATABASE_URL, when the embedded Postgres cannot be created in it', async () => {
  await writeFile(dataDir, '');
  expect(await runServiceChecks(new LazyAdminServices())).toEqual([
    {
      ...{ name: 'database', status: 'problem', detail: `DATA_DIR ${dataDir} is not a folder` },
      advice: 'Set it to a folder that this program can write.',
    },
  ]);
});

it('doctor names the log of the embedded Postgres, not DATABASE_URL, when Postgres fails', async () => {
  const context = new LazyAdminServices();
  vi.spyOn(context, 'openWithoutMigrating').mockRejectedValue(new Error('It did not start.'));
  const [finding] = await runServiceChecks(context);
  expect(finding?.advice).toContain(`its log is ${join(dataDir, 'postgres', 'postgres.log')}`);
});
