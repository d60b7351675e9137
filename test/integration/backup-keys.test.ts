import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Encryptor } from '@app/database';
import { WebhookSigningSecretService } from '@app/webhooks';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createBackup } from '../../apps/admin/src/backup/create-backup.js';
import { ProgressLog } from '../../apps/admin/src/backup/progress-log.js';
import { createInstalledWorld } from '../support/installations.js';
import type { World } from '../support/job-world.js';
import { createThrowawayStore, type ThrowawayStore } from '../support/throwaway-store.js';

const KEY_OF_SERVICE = new Encryptor(Buffer.alloc(32, 'a'));
const ANOTHER_KEY = new Encryptor(Buffer.alloc(32, 'b'));

let world: World;
let files: ThrowawayStore;
let folder: string;
beforeAll(async () => {
  [world, files, folder] = await Promise.all([
    createInstalledWorld(),
    createThrowawayStore(),
    mkdtemp(join(tmpdir(), 'backup-keys-')),
  ]);
  await new WebhookSigningSecretService(world.dataSource, KEY_OF_SERVICE).readOrCreateSecret(world.accountId);
});
afterAll(async () => {
  await files?.close();
  await world?.close();
  if (folder) await rm(folder, { recursive: true, force: true });
});

const writeBackup = (name: string, encryptor: Encryptor) =>
  createBackup(
    {
      ...{ dataSource: world.dataSource, databaseUrl: world.url, store: files.store },
      ...{ secrets: null, encryptor },
    },
    join(folder, name),
    new ProgressLog(() => undefined),
  );

it('a backup whose rows need keys that the command does not have is refused, because nobody could restore it', async () => {
  await expect(writeBackup('without', ANOTHER_KEY)).rejects.toThrow(
    /^ENCRYPTION_KEYS lacks 1 of the keys that encrypt rows \(\S+\), .* run the command with the settings of the service/,
  );
  expect(existsSync(join(folder, 'without', 'manifest.json'))).toBe(false);
  await writeBackup('with', KEY_OF_SERVICE);
  expect(existsSync(join(folder, 'with', 'manifest.json'))).toBe(true);
});
