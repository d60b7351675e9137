import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { LazyAdminServices } from '../lazy-admin-services.js';
import {
  AddServiceSecretCommand,
  DropEarlierServiceSecretsCommand,
  UseNextServiceSecretCommand,
} from './secrets.command.js';

let folder: string;
let dataDir: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'secrets-'));
  dataDir = join(folder, 'data');
  vi.stubEnv('DATA_DIR', dataDir);
  vi.stubEnv('SERVICE_SECRET', undefined);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true, force: true });
});

it.each([undefined, 'postgres://zephyr@127.0.0.1:1/zephyr'])(
  'secrets service-secret creates no secret in a wrong DATA_DIR, with DATABASE_URL %s',
  async (url) => {
    vi.stubEnv('DATABASE_URL', url);
    for (const Command of [
      AddServiceSecretCommand,
      UseNextServiceSecretCommand,
      DropEarlierServiceSecretsCommand,
    ]) {
      const running = new Command(new LazyAdminServices()).run([], {});
      await expect(running).rejects.toThrow(`There is no service secret in ${dataDir}. Set DATA_DIR to that`);
      expect(existsSync(dataDir)).toBe(false);
    }
  },
);
