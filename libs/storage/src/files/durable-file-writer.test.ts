import { type FileHandle, mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DurableFileWriter } from './durable-file-writer.js';

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

describe('DurableFileWriter', () => {
  it('contains the bytes in the order of the writes, whatever their sizes', async () => {
    const file = await DurableFileWriter.create(path);
    const parts = Array.from({ length: 600 }, (_, at) => Buffer.alloc((at * 7_919) % 9_000, at));
    for (const part of parts) await file.write(part);
    await file.syncAndClose();
    expect((await readFile(path)).equals(Buffer.concat(parts))).toBe(true);
  });

  it('writes slow input without buffering it', async () => {
    const file = await DurableFileWriter.create(path);
    await file.write(Buffer.from('a'));
    await expect.poll(() => readFile(path, 'utf8')).toBe('a');
    await file.write(Buffer.from('b'));
    await expect.poll(() => readFile(path, 'utf8')).toBe('ab');
    await file.syncAndClose();
  });

  it('buffers at most 128 KiB before write waits for the disk', async () => {
    let write: () => void = () => undefined;
    const disk = new Promise<void>((resolve) => (write = resolve));
    vi.spyOn(await handles(), 'writev').mockImplementationOnce(async (chunks) => {
      await disk;
      return { bytesWritten: MEBIBYTE / 16, buffers: [...chunks] };
    });
    const file = await DurableFileWriter.create(path);
    let taken = 0;
    const sending = (async () => {
      for (; taken < 8; taken += 1) await file.write(Buffer.alloc(MEBIBYTE / 16));
    })();
    await expect.poll(() => taken).toBe(2);
    await new Promise(setImmediate);
    expect(taken).toBe(2);
    write();
    await sending;
    await file.syncAndClose();
  });

  it('writes the rest when the disk accepts only a part', async () => {
    vi.spyOn(await handles(), 'writev').mockImplementationOnce(async function (this: FileHandle, [chunk]) {
      await this.write(chunk ?? new Uint8Array(), 0, 2);
      return { bytesWritten: 2, buffers: [] };
    });
    const file = await DurableFileWriter.create(path);
    await file.write(Buffer.from('whole'));
    await file.syncAndClose();
    expect(await readFile(path, 'utf8')).toBe('whole');
  });

  it('reports a failed write although later writes followed', async () => {
    vi.spyOn(await handles(), 'writev').mockRejectedValueOnce(new Error('no space'));
    const file = await DurableFileWriter.create(path);
    await file.write(Buffer.from('a'));
    await expect(file.syncAndClose()).rejects.toThrow('no space');
    await expect(file.write(Buffer.from('b'))).rejects.toThrow('no space');
    await file.abort();
  });

  it('syncs a large file in the background and reports a failed sync', async () => {
    const sync = vi.spyOn(await handles(), 'datasync').mockRejectedValueOnce(new Error('broken'));
    const file = await DurableFileWriter.create(path);
    for (let count = 0; count < 40; count += 1)
      await file.write(Buffer.alloc(MEBIBYTE)).catch(() => undefined);
    expect(sync).toHaveBeenCalledOnce();
    await expect(file.syncAndClose()).rejects.toThrow('broken');
    await file.abort();
  });
});
