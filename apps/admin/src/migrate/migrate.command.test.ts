import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { LazyAdminServices } from '../lazy-admin-services.js';
import { MigrateCommand } from './migrate.command.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'migrate-'));
  vi.stubEnv('DATA_DIR', join(folder, 'data'));
  vi.stubEnv('DATABASE_URL', undefined);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true, force: true });
});

it.each([{ plan: true }, { drift: true }])(
  'migrate %o says that there is no service in a wrong DATA_DIR, and creates none',
  async (options) => {
    const openToMigrate = vi.spyOn(LazyAdminServices.prototype, 'openToMigrate').mockRejectedValue('created');
    const running = new MigrateCommand(new LazyAdminServices()).run([], options);
    await expect(running).rejects.toThrow(`There is no service in ${join(folder, 'data')}.`);
    expect(existsSync(join(folder, 'data'))).toBe(false);
    openToMigrate.mockRestore();
  },
);
