import fs, { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Encryptor } from '@app/database';
import { claimOrVerifyStore } from '@app/installation';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { ServiceDiskReserve } from '../../apps/admin/src/backup/backup-disk-guard.js';
import { createBackup } from '../../apps/admin/src/backup/create-backup.js';
import { ProgressLog } from '../../apps/admin/src/backup/progress-log.js';
import { createInstalledWorld } from '../support/installations.js';
import type { World } from '../support/job-world.js';
import { createThrowawayStore, type ThrowawayStore } from '../support/throwaway-store.js';

let world: World;
let files: ThrowawayStore;
let root: string;
beforeAll(async () => {
  [world, files, root] = await Promise.all([
    createInstalledWorld(),
    createThrowawayStore(),
    mkdtemp(join(tmpdir(), 'backup-full-disk-')),
  ]);
  await claimOrVerifyStore(world.dataSource, files.store);
});
afterAll(async () => {
  await files?.close();
  await world?.close();
  await rm(root, { recursive: true, force: true });
});

const writeBackup = (path: string, serviceDisk: ServiceDiskReserve) =>
  createBackup(
    {
      ...{ dataSource: world.dataSource, databaseUrl: world.url, store: files.store, secrets: null },
      ...{ encryptor: new Encryptor(Buffer.alloc(32, 'a')), serviceDisk },
    },
    path,
    new ProgressLog(() => undefined),
  );

describe('a backup', () => {
  it('leaves the disk reserve to a service on the same disk, and deletes what it has written', async () => {
    const path = join(root, 'backup');
    const { statfs } = fs.promises;
    // Simulates a disk on which less than the reserve is free.
    vi.spyOn(fs.promises, 'statfs').mockImplementation(async (...given) => {
      const found = await statfs(...given);
      return Object.assign(found, { bavail: Math.ceil(1_000_000 / Number(found.bsize)) });
    });
    syncBuiltinESMExports();
    onTestFinished(() => {
      vi.restoreAllMocks();
      syncBuiltinESMExports();
    });
    const service = { dataDir: root, reserveBytes: 2 ** 30 };
    const message = `The disk of ${path} is full but for DISK_RESERVE_BYTES`;
    await expect(writeBackup(path, service)).rejects.toThrow(message);
    expect(existsSync(path)).toBe(false);
    await mkdir(path);
    await expect(writeBackup(path, service)).rejects.toThrow(message);
    expect(await readdir(path)).toEqual([]);
    await writeBackup(path, { ...service, dataDir: '/proc' });
    expect(existsSync(join(path, 'manifest.json'))).toBe(true);
  });
});
