import fs, { mkdtemp, rm } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { FileObjectStore } from './file-object-store.js';
import { sortWithoutBlocking } from './sort-without-blocking.js';

let folder: string;
let store: FileObjectStore;
const opendir = vi.spyOn(fs, 'opendir');
const readdir = vi.spyOn(fs, 'readdir');

beforeAll(syncBuiltinESMExports);
afterAll(() => {
  opendir.mockRestore();
  readdir.mockRestore();
  syncBuiltinESMExports();
});
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zephyr-listing-'));
  store = await FileObjectStore.open({
    root: folder,
    publicUrl: 'http://127.0.0.1:1',
    signingKeys: [{ id: 'k1', key: Buffer.alloc(32, 1) }],
  });
  for (const key of ['t/a/f1/x', 't/a/f2/x', 't/b/f1/x', 'u/a/x'])
    await store.put(key, Buffer.from('x'), 'a/b');
  readdir.mockClear();
  opendir.mockClear();
});
afterEach(async () => {
  await store.close();
  await rm(folder, { recursive: true, force: true });
});

/** Relative to the folder of the objects, sorted. */
function foldersRead(): string[] {
  const paths = [...readdir.mock.calls, ...opendir.mock.calls].map(([path]) => path);
  return [...new Set(paths.map((path) => relative(join(folder, 'objects'), String(path))))].sort();
}

describe('FileObjectStore', () => {
  it('list reads only the folder that the prefix names, and those below it', async () => {
    const keys: string[] = [];
    for await (const { key } of store.list('t/a/')) keys.push(key);
    expect(keys).toEqual(['t/a/f1/x', 't/a/f2/x']);
    expect(foldersRead()).toEqual(['t/a', 't/a/f1', 't/a/f2']);
  });

  it('deletePrefix reads only the folder that the prefix names, and those below it', async () => {
    await store.deletePrefix('t/a/');
    expect(foldersRead()).toEqual(['t/a', 't/a/f1', 't/a/f2']);
  });
});

describe('sortWithoutBlocking', () => {
  it('sorts as Array.prototype.sort does, and lets the event loop run between slices', async () => {
    const values = Array.from({ length: 1_000 }, (_, index) => String((index * 7_919) % 1_000));
    let turns = 0;
    const count = () => {
      turns += 1;
      counter = setImmediate(count);
    };
    let counter = setImmediate(count);
    const sorted = await sortWithoutBlocking(values, (left, right) => (left < right ? -1 : 1), 100);
    clearImmediate(counter);
    expect(sorted).toEqual([...values].sort());
    expect(turns).toBeGreaterThanOrEqual(10);
  });

  it('returns nothing for nothing', async () => {
    expect(await sortWithoutBlocking<string>([], () => 0)).toEqual([]);
  });
});
