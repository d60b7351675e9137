import { mkdir, mkdtemp, readdir, readlink, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { ObjectStore } from '@app/storage';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { BackupFolder } from '../backup/backup-folder.js';
import { ProgressLog } from '../backup/progress-log.js';
import { restoreObjects } from './restore-objects.js';

const KEY = 'audio/0193a5c0-0000-7000-8000-00000000abcd';
/** More than the streams between file and store buffer. */
const BYTES = 2 * 2 ** 20;

let root: string;
let folder: BackupFolder;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'restore-objects-'));
  folder = new BackupFolder(root);
  await mkdir(dirname(folder.objectPath(KEY)), { recursive: true });
  await writeFile(folder.objectPath(KEY), Buffer.alloc(BYTES));
  const entry = { key: KEY, size: BYTES, content_type: 'audio/wav', etag: 'e', sha256: 'a'.repeat(64) };
  await writeFile(folder.objectListPath, `${JSON.stringify(entry)}\n`);
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function listOpenFiles(): Promise<string[]> {
  const links = (await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => ''));
  return (await Promise.all(links)).filter((path) => path.startsWith(root));
}

describe('restoreObjects', () => {
  it('closes the file of an object that the store rejects before it has read it', async () => {
    const full = new Error('the store is full');
    const store = { head: async () => null, put: () => Promise.reject(full) } as unknown as ObjectStore;
    const restoring = restoreObjects(store, folder, new ProgressLog(() => undefined));
    await expect(restoring).rejects.toBe(full);
    await vi.waitFor(async () => expect(await listOpenFiles()).toEqual([]));
  });
});
