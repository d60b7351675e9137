import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { StoreUnavailableError } from '@app/storage';
import { createThrowawayStore } from '../support/throwaway-store.js';
import { type ObjectServer, startObjectServer } from '../support/object-server.js';
import { mountSmallDisk, type SmallDisk } from '../support/small-disk.js';

const MIB = 1024 * 1024;
const disk = await mountSmallDisk(4);
const obstacle = typeof disk === 'string' ? disk : null;
if (obstacle !== null) console.log(`Skipped: ${obstacle}.`);

describe.skipIf(obstacle !== null)('the file store on a disk of 4 MiB', () => {
  const { path, fill, freeSpace, remount, remove } = disk as SmallDisk;
  let server: ObjectServer;
  beforeAll(async () => {
    server = await startObjectServer({ root: join(path, 'store') });
  });
  afterAll(async () => {
    await server?.close();
    await remove();
  });

  const put = (key: string, bytes: number) => server.store.put(key, Buffer.alloc(bytes, 7), 'audio/wav');

  it('a full disk is reported as unavailable, stored objects stay, and writes succeed when space is free', async () => {
    await put('kept', MIB);
    await expect(put('kept', 5 * MIB)).rejects.toBeInstanceOf(StoreUnavailableError);
    await expect(put('other', 5 * MIB)).rejects.toBeInstanceOf(StoreUnavailableError);
    expect(await server.store.head('kept')).toMatchObject({ size: MIB });
    expect(await server.store.head('other')).toBeNull();
    expect(await readdir(join(server.root, 'tmp'))).toEqual([]);
    expect(await put('other', 2 * MIB)).toMatchObject({ size: 2 * MIB });
  });

  it('a PUT that does not fit is answered with 503', async () => {
    const address = await server.store.presignPut({ key: 'large', contentType: 'audio/wav', expiresIn: 60 });
    const headers = { 'content-type': 'audio/wav' };
    const response = await fetch(address, { method: 'PUT', body: new Uint8Array(6 * MIB), headers });
    expect(response.status).toBe(503);
    expect(response.headers.get('retry-after')).toBe('5');
    expect(await response.json()).toMatchObject({ code: 'service_unavailable', status: 503 });
    expect(await server.store.head('large')).toBeNull();
  });

  it('a ping fails while the disk is full or read-only', async () => {
    await server.store.ping();
    await fill();
    await expect(server.store.ping()).rejects.toBeInstanceOf(StoreUnavailableError);
    await freeSpace();
    await server.store.ping();
    remount('ro');
    await expect(server.store.ping()).rejects.toBeInstanceOf(StoreUnavailableError);
    await expect(put('x', 1)).rejects.toBeInstanceOf(StoreUnavailableError);
    expect(await server.store.head('kept')).toMatchObject({ size: MIB });
    remount('rw');
    await server.store.ping();
  });

  it('an object is copied to another disk, where a hard link is impossible', async () => {
    const { etag } = await put('moved', 1000);
    const folder = await mkdtemp(join(tmpdir(), 'zephyr-fetch-'));
    await server.store.fetchToFile('moved', join(folder, 'a'), { ifEtag: etag });
    expect(await readFile(join(folder, 'a'))).toEqual(Buffer.alloc(1000, 7));
    expect((await stat(join(folder, 'a'))).nlink).toBe(1);
    await rm(folder, { recursive: true });
  });

  it('a full target disk is not reported as a full store', async () => {
    const otherStore = await createThrowawayStore();
    onTestFinished(() => otherStore.close());
    await otherStore.store.put('large', Buffer.alloc(5 * MIB), 'audio/wav');
    await expect(otherStore.store.fetchToFile('large', join(path, 'a'))).rejects.toMatchObject({
      code: 'ENOSPC',
    });
    expect((await readdir(path)).filter((name) => name.includes('a.'))).toEqual([]);
  });
});
