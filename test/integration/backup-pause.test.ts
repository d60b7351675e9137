import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deleteUnlessBackupRuns } from '@app/database';
import type { FileObjectStore } from '@app/storage';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { ProgressLog } from '../../apps/admin/src/backup/progress-log.js';
import { createBackup } from '../../apps/admin/src/backup/create-backup.js';
import { verifyBackup } from '../../apps/admin/src/backup/verify-backup.js';
import { type ThrowawayStore, createThrowawayStore } from '../support/throwaway-store.js';
import { createInstalledWorld } from '../support/installations.js';
import type { World } from '../support/job-world.js';

const neverAborted = new AbortController().signal;
const quiet = new ProgressLog(() => undefined);

let world: World;
let files: ThrowawayStore<FileObjectStore>;
let folder: string;
beforeAll(async () => {
  [world, files, folder] = await Promise.all([
    createInstalledWorld(),
    createThrowawayStore(),
    mkdtemp(join(tmpdir(), 'backup-pause-')),
  ]);
});
afterAll(async () => {
  await files?.close();
  await world?.close();
  if (folder) await rm(folder, { recursive: true, force: true });
});

it('a backup that outlasts the pause of audio deletion continues, and reads the oldest audio first', async () => {
  const [younger, older] = [await world.newJob(), await world.newJob()];
  await world.rows(`UPDATE job SET queued_at = queued_at - interval '1 hour' WHERE id = $1`, older);
  for (const id of [younger, older]) await files.putBytes(`audio/${id}`);
  const fetchedKeys: string[] = [];
  const head = files.store.head.bind(files.store);
  // Deletes one audio object as soon as possible, before the backup reads it.
  vi.spyOn(files.store, 'head').mockImplementation(async (key) => {
    if (key.startsWith('audio/') && !fetchedKeys.includes(key)) fetchedKeys.push(key);
    const erase = () =>
      deleteUnlessBackupRuns(world.dataSource, 'audio', neverAborted, () => files.store.delete(key));
    if (key === `audio/${younger}`) await expect.poll(erase, { timeout: 20_000 }).toBe(true);
    return head(key);
  });
  const encryptor = { hasKey: () => true };
  const sources = {
    dataSource: world.dataSource,
    databaseUrl: world.url,
    store: files.store,
    secrets: null,
    encryptor,
  };
  const path = join(folder, 'backup');
  const { manifest, missingKeys } = await createBackup({ ...sources, audioPauseMs: 10 }, path, quiet);
  expect(fetchedKeys).toEqual([`audio/${older}`, `audio/${younger}`]);
  expect(manifest.objects).toMatchObject({ count: 1, missing: 1 });
  expect(missingKeys).toEqual([`audio/${younger}`]);
  expect(await verifyBackup(path, quiet)).toMatchObject({ damaged: [] });
});
