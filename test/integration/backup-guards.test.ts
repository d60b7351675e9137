import { appendFile, cp, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '@app/config';
import { createDataSource, inTransaction, Encryptor } from '@app/database';
import { claimOrVerifyStore, findStoreMarker } from '@app/installation';
import { buildTranscriptDocumentKey, endJob } from '@app/jobs';
import { computeSecretFingerprint } from '@app/runtime';
import { WebhookSigningSecretService } from '@app/webhooks';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { BackupFolder } from '../../apps/admin/src/backup/backup-folder.js';
import { type BackupManifest, readBackupManifest } from '../../apps/admin/src/backup/backup-manifest.js';
import { ProgressLog } from '../../apps/admin/src/backup/progress-log.js';
import { createBackup } from '../../apps/admin/src/backup/create-backup.js';
import { verifyBackup } from '../../apps/admin/src/backup/verify-backup.js';
import { restoreBackup } from '../../apps/admin/src/restore/restore-backup.js';
import {
  assertHasBackupEncryptionKeys,
  findServiceSecretOfBackup,
} from '../../apps/admin/src/restore/restore-secrets.js';
import { type ThrowawayStore, createThrowawayStore } from '../support/throwaway-store.js';
import { createInstalledWorld } from '../support/installations.js';
import type { World } from '../support/job-world.js';
import { type ThrowawayDatabase, createThrowawayDatabase } from '../support/postgres.js';

const SECRETS = { SERVICE_SECRET: 's'.repeat(32), SERVICE_SECRET_FALLBACKS: '', ENCRYPTION_KEYS: '' };
const QUIET = new ProgressLog(() => undefined);
const ENCRYPTOR = new Encryptor(Buffer.alloc(32, 'a'));

let world: World;
let files: ThrowawayStore;
let root: string;
/** What every test copies to `backup`. */
let original: string;
let backup: string;
let key: string;

const writeBackup = (path: string, store = files.store) =>
  createBackup(
    { dataSource: world.dataSource, databaseUrl: world.url, store, secrets: SECRETS, encryptor: ENCRYPTOR },
    path,
    QUIET,
  );

beforeAll(async () => {
  [world, files, root] = await Promise.all([
    createInstalledWorld(),
    createThrowawayStore(),
    mkdtemp(join(tmpdir(), 'backup-guards-')),
  ]);
  await world.rows(
    'UPDATE installation SET secret_fingerprint = $1',
    computeSecretFingerprint(SECRETS.SERVICE_SECRET),
  );
  await claimOrVerifyStore(world.dataSource, files.store);
  await new WebhookSigningSecretService(world.dataSource, ENCRYPTOR).readOrCreateSecret(world.accountId);
  const id = await world.newJob();
  key = buildTranscriptDocumentKey(id, 1);
  await files.putBytes(key);
  const outcome = { status: 'completed', resultKey: key } as const;
  await inTransaction(world.dataSource, (tx) => endJob(tx, world.hooks, id, outcome));
  original = join(root, 'original');
  await writeBackup(original);
});
afterAll(async () => {
  await files?.close();
  await world?.close();
  await rm(root, { recursive: true, force: true });
});
beforeEach(async () => {
  backup = await mkdtemp(join(root, 'backup-'));
  await cp(original, backup, { recursive: true });
});

/** Changes a file without changing its size. */
async function damage(path: string): Promise<void> {
  const bytes = await readFile(path);
  bytes[0] = (bytes[0] ?? 0) ^ 1;
  await writeFile(path, bytes);
}

describe('a backup', () => {
  it('only the owner can read a backup, also in a directory that others could read before', async () => {
    const path = join(root, 'open');
    await mkdir(path, { mode: 0o755 });
    await writeBackup(path);
    const readMode = async (name: string) => (await stat(join(path, name))).mode & 0o777;
    expect(await readMode('.')).toBe(0o700);
    for (const name of ['secrets.json', 'manifest.json', 'database/account.copy', 'objects.jsonl'])
      expect([name, await readMode(name)]).toEqual([name, 0o600]);
  });

  it('a backup does not overwrite another backup or write into a directory that is not empty', async () => {
    await expect(writeBackup(backup)).rejects.toThrow('contains a backup');
    const path = await mkdtemp(join(root, 'other-'));
    await appendFile(join(path, 'notes'), 'x');
    await expect(writeBackup(path)).rejects.toThrow('is not empty');
  });

  it('a backup path that is a file or below a file is reported in a sentence', async () => {
    const path = join(root, 'file');
    await writeFile(path, 'x');
    await expect(writeBackup(path)).rejects.toThrow(`${path} is a file. Give a new folder.`);
    await expect(writeBackup(join(path, 'b'))).rejects.toThrow('is below a file. Give a new folder.');
  });

  it('a full disk is reported with the directory of the backup', async () => {
    const path = join(root, 'full');
    const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
    // Simulates the error of a full disk.
    const store = Object.create(files.store, {
      get: { value: (name: string) => (name === key ? Promise.reject(full) : files.store.get(name)) },
    }) as typeof files.store;
    await expect(writeBackup(path, store)).rejects.toThrow(`The disk of ${path} is full`);
  });

  it('the backup of a database with the store of another installation is rejected', async () => {
    const other = await createThrowawayStore();
    onTestFinished(() => other.close());
    await expect(writeBackup(join(root, 'crossed'), other.store)).rejects.toThrow('do not belong together');
  });

  it.each(['database/account.copy', 'objects.jsonl', 'secrets.json', 'objects'])(
    'the verification detects changed bytes of equal length in %s',
    async (name) => {
      const file = name === 'objects' ? join('objects', key) : name;
      expect((await verifyBackup(backup, QUIET)).damaged).toEqual([]);
      await damage(join(backup, file));
      expect((await verifyBackup(backup, QUIET)).damaged).toEqual([file]);
    },
  );
});

describe('a restore', () => {
  let database: ThrowawayDatabase;
  let target: ThrowawayStore;
  beforeEach(async () => {
    [database, target] = await Promise.all([createThrowawayDatabase(), createThrowawayStore()]);
  });
  afterEach(async () => {
    await target.close();
    await database.drop();
  });

  async function restore(url = database.url, store = target.store): Promise<BackupManifest> {
    const dataSource = createDataSource({ url, poolSize: 2, applicationName: 'zephyr-test' });
    await dataSource.initialize();
    const folder = new BackupFolder(backup);
    try {
      const manifest = await readBackupManifest(folder);
      await restoreBackup({ databaseUrl: url, dataSource, store }, folder, manifest, QUIET);
      return manifest;
    } finally {
      await dataSource.destroy();
    }
  }
  const listStoredKeys = () => target.listKeys('audio/', 'work/', 'transcripts/');
  const readRows = async (table: string) => {
    const url = database.url;
    const dataSource = createDataSource({ url, poolSize: 1, applicationName: 'zephyr-test' });
    await dataSource.initialize();
    try {
      const [found] = await dataSource.query<{ exists: boolean }[]>(
        'SELECT to_regclass($1) IS NOT NULL AS exists',
        [table],
      );
      return found?.exists ? await dataSource.query<unknown[]>(`SELECT FROM ${table}`) : [];
    } finally {
      await dataSource.destroy();
    }
  };

  it('a restore fills an empty database and an empty store, and cannot run twice', async () => {
    await restore();
    expect([await listStoredKeys(), (await readRows('job')).length]).toEqual([[key], 1]);
    await expect(restore()).rejects.toThrow('is not empty');
  });

  it('a restore rejects a database with rows before it writes to the store', async () => {
    await expect(restore(world.url)).rejects.toThrow('The database is not empty. Give restore an empty one');
    expect(await listStoredKeys()).toEqual([]);
  });

  it('a restore rejects a database that a program has used and keeps its rows', async () => {
    const other = await createInstalledWorld();
    try {
      await other.rows('DELETE FROM account');
      await other.rows(`INSERT INTO hashing_key (key_id, sealed) VALUES ('k', 'x')`);
      await expect(restore(other.url)).rejects.toThrow('its table hashing_key holds rows');
      expect(await other.rows('SELECT key_id FROM hashing_key')).toEqual([{ key_id: 'k' }]);
    } finally {
      await other.close();
    }
  });

  it('a restore rejects a store with objects and a store of another installation', async () => {
    await target.putBytes('audio/0193a5c0-0000-7000-8000-00000000abcd');
    await expect(restore()).rejects.toThrow('The object store is not empty');
    await target.store.deletePrefix('audio/');
    const other = await createInstalledWorld();
    try {
      await claimOrVerifyStore(other.dataSource, target.store);
      await expect(restore()).rejects.toThrow('belongs to an installation already');
    } finally {
      await other.close();
    }
    expect(await readRows('account')).toEqual([]);
  });

  it('a restore rejects damaged rows before it changes anything', async () => {
    await damage(join(backup, 'database', 'account.copy'));
    await expect(restore()).rejects.toThrow('damaged: database/account.copy');
    expect([await listStoredKeys(), await readRows('account')]).toEqual([[], []]);
  });

  it('a restore does not store a damaged object and loads no rows', async () => {
    await damage(join(backup, 'objects', key));
    await expect(restore()).rejects.toThrow('its bytes are not those that were backed up');
    expect([await listStoredKeys(), await readRows('account')]).toEqual([[], []]);
  });

  it('a restore reports a missing object and the way to proceed', async () => {
    await rm(join(backup, 'objects', key));
    await expect(restore()).rejects.toThrow(`The backup is damaged: objects/${key} is missing.`);
    expect([await listStoredKeys(), await readRows('account')]).toEqual([[], []]);
  });

  it('a restore reports a missing file of rows and the way to proceed', async () => {
    await rm(join(backup, 'database', 'account.copy'));
    await expect(restore()).rejects.toThrow(
      'The backup is damaged: database/account.copy is missing. Restore another backup.',
    );
  });

  it('a restore does not continue the interrupted restore of another backup', async () => {
    await damage(join(backup, 'objects', key));
    await expect(restore()).rejects.toThrow('its bytes are not those');
    backup = await mkdtemp(join(root, 'backup-'));
    await writeBackup(backup);
    await expect(restore()).rejects.toThrow('A restore of another backup was cut');
  });

  it('a program that starts on the store of an interrupted restore reports the restore as the cause', async () => {
    await rm(join(backup, 'objects', key));
    await expect(restore()).rejects.toThrow('is missing');
    const other = await createInstalledWorld();
    try {
      await expect(claimOrVerifyStore(other.dataSource, target.store)).rejects.toMatchObject({
        reason: 'restore_unfinished',
        message: expect.stringMatching(
          /^A restore on this object store has not finished.*`restore DIR`(?!.*adopt)/,
        ),
      });
      await target.putBytes(key);
      await expect(claimOrVerifyStore(other.dataSource, target.store)).rejects.toThrow('has not finished');
    } finally {
      await other.close();
    }
    expect(await findStoreMarker(target.store)).toBeNull();
  });

  it('a restore rejects another service secret and encryption keys that lack one of the backup', async () => {
    const folder = new BackupFolder(backup);
    const manifest = await readBackupManifest(folder);
    const config = (secret: string) => loadConfig({ DATA_DIR: root, SERVICE_SECRET: secret });
    await expect(findServiceSecretOfBackup(config('o'.repeat(32)), folder, manifest)).rejects.toThrow(
      'SERVICE_SECRET is not that of the backup',
    );
    expect(await findServiceSecretOfBackup(config(SECRETS.SERVICE_SECRET), folder, manifest)).toMatchObject({
      isMissing: false,
    });
    expect(() => assertHasBackupEncryptionKeys(ENCRYPTOR, folder, manifest)).not.toThrow();
    expect(() =>
      assertHasBackupEncryptionKeys(new Encryptor(Buffer.alloc(32, 'b')), folder, manifest),
    ).toThrow('ENCRYPTION_KEYS lacks 1 of the keys');
  });
});
