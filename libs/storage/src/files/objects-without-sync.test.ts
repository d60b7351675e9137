import { type FileHandle, mkdtemp, open, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { ObjectNotFoundError } from '../store-errors.js';
import { FileObjectStore } from './file-object-store.js';

describe('an object of the file store that is not durable', () => {
  let folder: string;
  let store: FileObjectStore;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'zephyr-store-'));
    const signingKeys = [{ id: 'k1', key: Buffer.alloc(32, 1) }];
    store = await FileObjectStore.open({
      root: join(folder, 'store'),
      publicUrl: 'http://127.0.0.1:1',
      signingKeys,
    });
  });
  afterEach(async () => {
    await store.close();
    await rm(folder, { recursive: true, force: true });
  });

  const listFiles = async () => {
    const root = join(folder, 'store', 'objects');
    return (await readdir(root)).map((name) => join(root, name));
  };
  const put = (key = 'a') => store.put(key, Buffer.from('bytes'), 'text/plain', { isDurable: false });
  const fetchToFile = () => store.fetchToFile('a', join(folder, 'fetched'));

  /** @returns how often files and directories were synced so far */
  async function spyOnSyncs(): Promise<() => number> {
    const handle = await open(folder, 'r');
    const prototype = Object.getPrototypeOf(handle) as FileHandle;
    await handle.close();
    const syncs = [vi.spyOn(prototype, 'sync'), vi.spyOn(prototype, 'datasync')];
    onTestFinished(() => syncs.forEach((sync) => sync.mockRestore()));
    return () => syncs.reduce((sum, { mock }) => sum + mock.calls.length, 0);
  }

  it('is written without a sync of any file or directory, unlike others', async () => {
    const countSyncs = await spyOnSyncs();
    await put();
    expect(countSyncs()).toBe(0);
    await store.put('b', Buffer.from('bytes'), 'text/plain');
    expect(countSyncs()).toBeGreaterThan(0);
    await fetchToFile();
    expect(await readFile(join(folder, 'fetched'), 'utf8')).toBe('bytes');
  });

  it('leaves its directories unsynced, except for one that all objects share', async () => {
    const countSyncs = await spyOnSyncs();
    await put('work/job/chunk');
    const first = countSyncs();
    expect(first).toBeGreaterThan(0);
    await put('work/job/other-chunk');
    await put('work/other-job/f1/chunk');
    expect(countSyncs()).toBe(first);
  });

  it('leaves them to a durable object that follows in the same directory', async () => {
    const countSyncs = await spyOnSyncs();
    const countSyncsOfDurable = async (key: string) => {
      const before = countSyncs();
      await store.put(key, Buffer.from('bytes'), 'text/plain');
      return countSyncs() - before;
    };
    await put('work/first');
    const withoutNewDirectory = await countSyncsOfDurable('work/second');
    await put('work/job/f1/chunk');
    // The entries of `job` and `f1`.
    expect(await countSyncsOfDurable('work/job/f1/audio')).toBe(withoutNewDirectory + 2);
  });

  it.each(['', 'byte', 'bytez'])('is missing if a power failure left `%s` of its bytes', async (left) => {
    await put();
    const data = (await listFiles()).find((path) => !path.endsWith('@meta'));
    await writeFile(String(data), left);
    await expect(fetchToFile()).rejects.toThrow(ObjectNotFoundError);
    await put();
    await fetchToFile();
  });

  it('is missing if a power failure left an empty record', async () => {
    await put();
    const record = (await listFiles()).find((path) => path.endsWith('@meta'));
    await writeFile(String(record), '');
    await expect(fetchToFile()).rejects.toThrow(ObjectNotFoundError);
    expect(await store.head('a')).toBeNull();
    await store.delete('a');
    expect(await listFiles()).toEqual([]);
    await put();
    await fetchToFile();
  });
});
