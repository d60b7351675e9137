import { type FileHandle, mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DurableFile } from './durable-file.js';

const MEBIBYTE = 1024 * 1024;
let folder: string;
let path: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zephyr-durable-'));
  path = join(folder, 'file');
});
afterEach(async () => {
  vi.restoreAllMocks();
  await rm(folder, { recursive: true, force: true });
});

/** What all open files do their work with. */
async function handles(): Promise<FileHandle> {
  const any = await open(folder);
  await any.close();
  return Object.getPrototypeOf(any) as FileHandle;
}

describe('DurableFile', () => {
  it('holds the bytes in the order in which they came, whatever their sizes', async () => {
    const file = await DurableFile.create(path);
    const parts = Array.from({ length: 600 }, (_, at) => Buffer.alloc((at * 7_919) % 9_000, at));
    for (const part of parts) await file.add(part);
    await file.finish();
    expect((await readFile(path)).equals(Buffer.concat(parts))).toBe(true);
  });

  it('lets nothing lie that comes slowly', async () => {
    const file = await DurableFile.create(path);
    await file.add(Buffer.from('a'));
    await expect.poll(() => readFile(path, 'utf8')).toBe('a');
    await file.add(Buffer.from('b'));
    await expect.poll(() => readFile(path, 'utf8')).toBe('ab');
    await file.finish();
  });

  it('keeps an eighth of a mebibyte waiting for the disk, and then its sender', async () => {
    let write: () => void = () => undefined;
    const disk = new Promise<void>((resolve) => (write = resolve));
    vi.spyOn(await handles(), 'writev').mockImplementationOnce(async (chunks) => {
      await disk;
      return { bytesWritten: MEBIBYTE / 16, buffers: [...chunks] };
    });
    const file = await DurableFile.create(path);
    let taken = 0;
    const sending = (async () => {
      for (; taken < 8; taken += 1) await file.add(Buffer.alloc(MEBIBYTE / 16));
    })();
    await expect.poll(() => taken).toBe(2);
    await new Promise(setImmediate);
    expect(taken).toBe(2);
    write();
    await sending;
    await file.finish();
  });

  it('goes on with what the disk did not take at once', async () => {
    vi.spyOn(await handles(), 'writev').mockImplementationOnce(async function (this: FileHandle, [chunk]) {
      await this.write(chunk ?? new Uint8Array(), 0, 2);
      return { bytesWritten: 2, buffers: [] };
    });
    const file = await DurableFile.create(path);
    await file.add(Buffer.from('whole'));
    await file.finish();
    expect(await readFile(path, 'utf8')).toBe('whole');
  });

  it('tells of a write that failed, though others came after it', async () => {
    vi.spyOn(await handles(), 'writev').mockRejectedValueOnce(new Error('no space'));
    const file = await DurableFile.create(path);
    await file.add(Buffer.from('a'));
    await expect(file.finish()).rejects.toThrow('no space');
    await expect(file.add(Buffer.from('b'))).rejects.toThrow('no space');
    await file.abandon();
  });

  it('brings a large file to the disk while it comes, and tells of a failure of that', async () => {
    const sync = vi.spyOn(await handles(), 'datasync').mockRejectedValueOnce(new Error('broken'));
    const file = await DurableFile.create(path);
    for (let count = 0; count < 40; count += 1) await file.add(Buffer.alloc(MEBIBYTE)).catch(() => undefined);
    expect(sync).toHaveBeenCalledOnce();
    await expect(file.finish()).rejects.toThrow('broken');
    await file.abandon();
  });
});
