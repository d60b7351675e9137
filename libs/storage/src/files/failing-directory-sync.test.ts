import { type FileHandle, mkdtemp, open, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { StoreUnavailableError } from '../store-errors.js';
import { singleChunkStream } from './durable-writes.js';
import { FileObjectStore } from './file-object-store.js';

const KEY = 'zephyr-installation.json';
const put = (text: string) => store.put(KEY, Buffer.from(text), 'application/json');

let folder: string;
let store: FileObjectStore;
/** What syncs of directories are called on. */
let handles: FileHandle;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zephyr-store-'));
  store = await FileObjectStore.open({
    root: folder,
    publicUrl: 'http://127.0.0.1:1',
    signingKeys: [{ id: 'k1', key: Buffer.alloc(32, 1) }],
  });
  const any = await open(folder);
  await any.close();
  handles = Object.getPrototypeOf(any) as FileHandle;
});
afterEach(async () => {
  vi.restoreAllMocks();
  await store.close();
  await rm(folder, { recursive: true, force: true });
});

/** Lets the nth sync of a directory fail from now on. @returns whether one has failed */
function failSync(nth: number): () => boolean {
  const original = handles.sync;
  let syncs = 0;
  vi.spyOn(handles, 'sync').mockImplementation(async function (this: FileHandle) {
    syncs += 1;
    if (syncs === nth) throw Object.assign(new Error('EIO: i/o error, fsync'), { code: 'EIO' });
    return original.call(this);
  });
  return () => syncs >= nth;
}

/** The object, if its record and its data can both be read. @returns null if there is neither */
async function readWhole(): Promise<string | null> {
  const info = await store.head(KEY);
  if (info === null) return null;
  const text = String(await buffer(await store.get(KEY)));
  expect(text).toHaveLength(info.size);
  return text;
}

const dataFiles = async () =>
  (await readdir(join(folder, 'objects'))).filter((name) => !name.endsWith('@meta'));

describe('a sync of a directory that fails', () => {
  it.each([1, 2, 3, 4])('leaves the old object or the new one: sync %i of a replacement', async (nth) => {
    await put('{"generation":1}');
    const hasFailed = failSync(nth);
    const outcome = await put('{"generation":2}').catch((error: unknown) => error);
    if (hasFailed()) expect(outcome).toBeInstanceOf(StoreUnavailableError);
    vi.restoreAllMocks();
    expect(['{"generation":1}', '{"generation":2}']).toContain(await readWhole());
    await put('{"generation":3}');
    expect(await readWhole()).toBe('{"generation":3}');
  });

  it('leaves no other data when the record was not replaced', async () => {
    await put('old');
    failSync(1);
    await expect(put('new')).rejects.toThrow(StoreUnavailableError);
    vi.restoreAllMocks();
    expect(await readWhole()).toBe('old');
    expect(await dataFiles()).toHaveLength(1);
  });

  it.each([1, 2, 3])('leaves no record without data: sync %i of a creation', async (nth) => {
    const hasFailed = failSync(nth);
    const outcome = await store
      .putIfAbsent(KEY, Buffer.from('first'), 'text/plain')
      .catch((error: unknown) => error);
    if (hasFailed()) expect(outcome).toBeInstanceOf(StoreUnavailableError);
    vi.restoreAllMocks();
    const isThere = (await readWhole()) === 'first';
    expect(await dataFiles()).toHaveLength(isThere ? 1 : 0);
    expect(await store.putIfAbsent(KEY, Buffer.from('second'), 'text/plain')).toBe(!isThere);
  });

  it.each([1, 2, 3, 4, 5, 6])(
    'leaves a multipart upload that can be completed again: sync %i',
    async (nth) => {
      const uploadId = await store.createMultipart(KEY, 'text/plain');
      const etag = await store.putPart(KEY, uploadId, 1, singleChunkStream(Buffer.from('part')));
      const hasFailed = failSync(nth);
      const complete = () => store.completeMultipart(KEY, uploadId, [{ partNumber: 1, etag }]);
      const outcome = await complete().catch((error: unknown) => error);
      if (hasFailed()) expect(outcome).toBeInstanceOf(StoreUnavailableError);
      vi.restoreAllMocks();
      await complete();
      expect(await readWhole()).toBe('part');
    },
  );
});
