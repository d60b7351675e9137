import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { InvalidPartsError, StoreUnavailableError } from '../store-errors.js';
import { singleChunkStream } from './durable-writes.js';
import { FileObjectStore } from './file-object-store.js';

const KEY = 'audio/1';
let folder: string;
let store: FileObjectStore;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zephyr-store-'));
  store = await FileObjectStore.open({
    root: folder,
    publicUrl: 'http://127.0.0.1:1',
    signingKeys: [{ id: 'k1', key: Buffer.alloc(32, 1) }],
  });
});
afterEach(async () => {
  await store.close();
  await rm(folder, { recursive: true, force: true });
});

/** A body during which something happens. */
async function* bodyWith(happening: () => Promise<unknown>): AsyncGenerator<Uint8Array> {
  yield Buffer.from('one');
  await happening();
  yield Buffer.from('two');
}

/** As the clock of another process does that steps forward: every file looks old. */
const sweep = () => store.deleteStaleTemporaryFiles(-60);

describe('a write whose temporary file is swept while its body arrives', () => {
  it('of an object can be repeated, and leaves nothing', async () => {
    await expect(store.putStream(KEY, bodyWith(sweep), 'audio/wav')).rejects.toThrow(StoreUnavailableError);
    expect(await store.head(KEY)).toBeNull();
    expect(await readdir(join(folder, 'tmp'))).toEqual([]);
    expect(await store.put(KEY, Buffer.from('again'), 'audio/wav')).toMatchObject({ size: 5 });
  });

  it('of a part can be repeated: the upload is still open', async () => {
    const uploadId = await store.createMultipart(KEY, 'audio/wav');
    await expect(store.putPart(KEY, uploadId, 1, bodyWith(sweep))).rejects.toThrow(StoreUnavailableError);
    const etag = await store.putPart(KEY, uploadId, 1, singleChunkStream(Buffer.from('again')));
    const completed = store.completeMultipart(KEY, uploadId, [{ partNumber: 1, etag }]);
    expect(await completed).toMatchObject({ size: 5 });
  });

  it('of a part is refused if the upload was closed meanwhile as well', async () => {
    const uploadId = await store.createMultipart(KEY, 'audio/wav');
    const closing = bodyWith(async () => {
      await sweep();
      await store.abortMultipart(KEY, uploadId);
    });
    await expect(store.putPart(KEY, uploadId, 1, closing)).rejects.toThrow(InvalidPartsError);
  });
});
