import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { StoreUnavailableError } from '../store-errors.js';
import { singleChunkStream } from './durable-writes.js';
import { FileObjectStore } from './file-object-store.js';

const DAY = 24 * 3_600_000;
let folder: string;
let store: FileObjectStore;

let unreadable: string[];

const open = () =>
  FileObjectStore.open({
    onUnreadable: (key, { message }) => void unreadable.push(`${key}: ${message}`),
    root: join(folder, 'store'),
    publicUrl: 'http://127.0.0.1:1',
    signingKeys: [{ id: 'k1', key: Buffer.alloc(32, 1) }],
  });

/** Every file under the store, relative to it. */
async function filesIn(directory: string): Promise<string[]> {
  const entries = await readdir(join(folder, 'store', directory), { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

/** What a sweep that keeps the files of a week finds the given number of days from now. */
async function sweepAfter(days: number, allowed = 20) {
  vi.useFakeTimers({ now: Date.now() + days * DAY, toFake: ['Date'] });
  try {
    return await store.deleteUnreferencedData({ minAgeDays: 7, maxRemovals: () => allowed });
  } finally {
    vi.useRealTimers();
  }
}

const contentOf = async (key: string) => Buffer.concat((await (await store.get(key)).toArray()) as Buffer[]);

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zephyr-store-'));
  unreadable = [];
  store = await open();
});
afterEach(async () => {
  await store.close();
  await rm(folder, { recursive: true, force: true });
});

describe('FileObjectStore whose directory is missing, for example because its disk is not mounted', () => {
  const key = 'a/b';
  const listed = async (entries: AsyncIterable<unknown>) => {
    for await (const _ of entries);
  };

  it.each<[string, (uploadId: string) => Promise<unknown>]>([
    ['reading an object', () => store.get(key)],
    ['storing an object', () => store.put(key, Buffer.from('y'), 'text/plain')],
    ['looking for an object', () => store.head(key)],
    ['opening an object', () => store.openObject(key, () => undefined)],
    ['fetching an object to a file', () => store.fetchToFile(key, join(folder, 'copy'))],
    ['listing objects', () => listed(store.list('a/'))],
    ['listing uploads', () => listed(store.listUploads('a/'))],
    ['storing a part', (uploadId) => store.putPart(key, uploadId, 1, singleChunkStream(Buffer.from('x')))],
    ['completing an upload', (uploadId) => store.completeMultipart(key, uploadId, [])],
  ])('%s fails as unavailable, not as not found', async (_, work) => {
    await store.put(key, Buffer.from('x'), 'text/plain');
    const uploadId = await store.createMultipart(key, 'text/plain');
    await rename(join(folder, 'store'), join(folder, 'unmounted'));
    await expect(work(uploadId)).rejects.toThrow(StoreUnavailableError);
    await rename(join(folder, 'unmounted'), join(folder, 'store'));
    expect(String(await contentOf(key))).toBe('x');
  });
});

describe('FileObjectStore on disk', () => {
  it('restricts all files to their owner', async () => {
    await store.put('a/b', Buffer.from('x'), 'text/plain');
    const entries = await readdir(join(folder, 'store'), { recursive: true });
    for (const entry of ['.', ...entries]) {
      const found = await stat(join(folder, 'store', entry));
      expect(found.mode & 0o777).toBe(found.isDirectory() ? 0o700 : 0o600);
    }
  });

  it('keeps one record and one data file per object, and none after its deletion', async () => {
    await Promise.all(
      Array.from({ length: 10 }, (_, n) => store.put('a/b', Buffer.from(`${n}`), 'text/plain')),
    );
    expect(await filesIn('objects')).toHaveLength(2);
    await store.delete('a/b');
    expect(await readdir(join(folder, 'store', 'objects'))).toEqual([]);
    expect(await filesIn('tmp')).toEqual([]);
  });

  it('serves the previous object until the new record is in place', async () => {
    await store.put('a', Buffer.from('old'), 'text/plain');
    const { etag } = await store.put('b', Buffer.from('new'), 'text/plain');
    // As a crash leaves it: data of a newer version beside the record that names the older one.
    const data = (await filesIn('objects')).find((path) => /b@[0-9a-f]{32}$/.test(path)) ?? '';
    await writeFile(join(dirname(data), `a@${'0'.repeat(32)}`), await readFile(data));
    const reopened = await open();
    expect((await reopened.head('a'))?.size).toBe(3);
    expect((await reopened.head('a'))?.etag).not.toBe(etag);
    await reopened.close();
  });

  it('sweeps unreferenced data after days, and nothing that is in use', async () => {
    await store.put('a', Buffer.from('kept'), 'text/plain');
    const uploadId = await store.createMultipart('m', 'text/plain');
    await store.putPart('m', uploadId, 1, singleChunkStream(Buffer.from('part')));
    await writeFile(join(folder, 'store', 'objects', `a@${'1'.repeat(32)}`), 'unreferenced');
    await mkdir(join(folder, 'store', 'objects', `gone@${'2'.repeat(32)}`, '1'), { recursive: true });
    expect(await sweepAfter(6.9)).toEqual({ examined: 3, found: 0, removed: 0 });
    expect(await sweepAfter(7.1)).toEqual({ examined: 3, found: 2, removed: 2 });
    expect((await filesIn('objects')).map((path) => path.slice(-6))).toHaveLength(2);
    expect(await store.head('a')).toMatchObject({ size: 4 });
    expect(await filesIn('uploads')).toHaveLength(2);
  });

  it('keeps restored data whose records are still missing, whatever its age', async () => {
    for (const key of ['a', 'b/c', 'd']) await store.put(key, Buffer.from(key), 'text/plain');
    const aside = join(folder, 'records');
    await mkdir(aside);
    const records = (await filesIn('objects')).filter((path) => path.endsWith('@meta'));
    for (const [at, path] of records.entries()) await rename(path, join(aside, String(at)));
    await store.deleteStaleTemporaryFiles(-60);
    expect(await sweepAfter(6)).toMatchObject({ found: 0 });
    expect(await sweepAfter(60, 2)).toEqual({ examined: 3, found: 3, removed: 0 });
    for (const [at, path] of records.entries()) await rename(join(aside, String(at)), path);
    expect(await sweepAfter(60)).toMatchObject({ found: 0 });
    for (const key of ['a', 'b/c', 'd']) expect(String(await contentOf(key))).toBe(key);
  });

  it('completes an interrupted deletion when it is repeated, also by prefix', async () => {
    for (const key of ['audio/a', 'work/a/1', 'work/b/1'])
      await store.put(key, Buffer.from(key), 'text/plain');
    for (const name of ['audio/a', 'work/a/1'])
      await unlink(join(folder, 'store', 'objects', `${name}@meta`));
    await store.delete('audio/a');
    await store.deletePrefix('work/a/');
    expect(await readdir(join(folder, 'store', 'objects'))).toEqual(['work']);
    expect(await readdir(join(folder, 'store', 'objects', 'work'))).toEqual(['b']);
    expect(String(await contentOf('work/b/1'))).toBe('work/b/1');
  });

  it('does not sweep when it is opened, as the files may belong to another installation', async () => {
    await writeFile(join(folder, 'store', 'objects', `a@${'1'.repeat(32)}`), 'unreferenced');
    await writeFile(join(folder, 'store', 'tmp', '3'.repeat(32)), 'half');
    vi.useFakeTimers({ now: Date.now() + 400 * DAY, toFake: ['Date'] });
    await (await open()).close();
    vi.useRealTimers();
    expect([...(await filesIn('objects')), ...(await filesIn('tmp'))]).toHaveLength(2);
  });

  it('lists and sweeps past an unreadable object record, reports it and keeps its data', async () => {
    for (const key of ['a', 'b/c', 'd']) await store.put(key, Buffer.from('x'), 'text/plain');
    const objects = join(folder, 'store', 'objects');
    await writeFile(join(objects, 'b', 'c@meta'), '{"version":');
    await writeFile(join(objects, `d@${'1'.repeat(32)}`), 'unreferenced');
    const keys: string[] = [];
    for await (const { key } of store.list('')) keys.push(key);
    expect(keys).toEqual(['a', 'd']);
    expect(unreadable).toEqual(['b/c: An object record cannot be read.']);
    expect(await sweepAfter(8)).toMatchObject({ removed: 1 });
    expect(await filesIn('objects/b')).toHaveLength(2);
  });

  it('lists past unreadable upload records and reports them', async () => {
    const ids: string[] = [];
    for (const key of ['a', 'b', 'c']) ids.push(await store.createMultipart(key, 'text/plain'));
    const [cut = '', whole = '', other = ''] = ids;
    const about = (id: string) => join(folder, 'store', 'uploads', id, 'upload.json');
    await writeFile(about(cut), '{"key":');
    await writeFile(about(other), '{}');
    const found: string[] = [];
    for await (const { uploadId } of store.listUploads('')) found.push(uploadId);
    expect(found).toEqual([whole]);
    expect(unreadable.toSorted()).toEqual(
      [cut, other].map((id) => `uploads/${id}: The record of an upload cannot be read.`).toSorted(),
    );
  });

  it('stops sweeping a large tree when its caller stops', async () => {
    await store.put('a', Buffer.from('x'), 'text/plain');
    const options = { minAgeDays: 7, maxRemovals: () => 20, stop: AbortSignal.abort() };
    expect(await store.deleteUnreferencedData(options)).toEqual({ examined: 0, found: 0, removed: 0 });
    expect(await sweepAfter(0)).toMatchObject({ examined: 1 });
  });

  it('stops sweeping a large tree when it is closed', async () => {
    const names = Array.from({ length: 300 }, (_, n) => `a@${String(n).padStart(32, '0')}`);
    for (const name of names) await writeFile(join(folder, 'store', 'objects', name), 'unreferenced');
    const sweeping = sweepAfter(8);
    await store.close();
    expect((await sweeping).examined).toBeLessThan(names.length);
    expect(await filesIn('objects')).toHaveLength(names.length);
  });

  it('stays consistent when two processes write and read one object', async () => {
    const other = await open();
    const bodies = Array.from({ length: 12 }, (_, n) => Buffer.alloc(50_000, n));
    await store.put('a', Buffer.alloc(50_000), 'text/plain');
    const writes = bodies.map((body, n) => (n % 2 ? store : other).put('a', body, 'text/plain'));
    const reads = bodies.map(async (_, n) => {
      const chunks = await (await (n % 2 ? store : other).get('a')).toArray();
      return new Set(Buffer.concat(chunks as Buffer[])).size;
    });
    const etags = (await Promise.all(writes)).map(({ etag }) => etag);
    expect(new Set(await Promise.all(reads))).toEqual(new Set([1]));
    expect(etags).toContain((await other.head('a'))?.etag);
    await sweepAfter(8);
    expect(await filesIn('objects')).toHaveLength(2);
    await other.close();
  });

  it('completes an upload whose first completion was interrupted after the parts were moved', async () => {
    const uploadId = await store.createMultipart('m', 'audio/wav');
    const etag = await store.putPart('m', uploadId, 1, singleChunkStream(Buffer.from('part')));
    await rename(
      join(folder, 'store', 'uploads', uploadId),
      join(folder, 'store', 'objects', `m@${uploadId}`),
    );
    const info = await store.completeMultipart('m', uploadId, [{ partNumber: 1, etag }]);
    expect(info).toMatchObject({ size: 4, contentType: 'audio/wav' });
  });

  it('accepts parts only for the object of the upload', async () => {
    const uploadId = await store.createMultipart('m', 'audio/wav');
    const stray = store.putPart('n', uploadId, 1, singleChunkStream(Buffer.from('part')));
    await expect(stray).rejects.toMatchObject({ name: 'InvalidPartsError', field: 'upload' });
    expect(await readdir(join(folder, 'store', 'uploads', uploadId))).toEqual(['upload.json']);
  });

  it('keeps one file per part however often it is sent, with the last content', async () => {
    const uploadId = await store.createMultipart('m', 'audio/wav');
    const first = await store.putPart('m', uploadId, 1, singleChunkStream(Buffer.from('one')));
    const etag = await store.putPart('m', uploadId, 1, singleChunkStream(Buffer.from('two')));
    expect(await store.putPart('m', uploadId, 1, singleChunkStream(Buffer.from('two')))).toBe(etag);
    expect(await readdir(join(folder, 'store', 'uploads', uploadId, '1'))).toEqual([etag]);
    const old = store.completeMultipart('m', uploadId, [{ partNumber: 1, etag: first }]);
    await expect(old).rejects.toMatchObject({ name: 'InvalidPartsError', field: 'etag' });
  });

  it('separates keys that differ only in case, also on a case-insensitive file system', async () => {
    await store.put('A', Buffer.from('capital'), 'text/plain');
    await store.put('a', Buffer.from('small'), 'text/plain');
    const names = await readdir(join(folder, 'store', 'objects'));
    expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(4);
  });

  it('hard-links a fetched file instead of copying it', async () => {
    await store.put('a', Buffer.from('x'), 'text/plain');
    const beforeCopy = () => Promise.reject(new Error('it is copied'));
    await store.fetchToFile('a', join(folder, 'fetched'), { beforeCopy });
    expect((await stat(join(folder, 'fetched'))).nlink).toBe(2);
  });
});
