import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, expect, it, vi } from 'vitest';
import { keepDiskReserve } from './keep-disk-reserve.js';

const BLOCK = Buffer.alloc(16 * 2 ** 20);

function* repeatBlock(times: number) {
  for (let time = 0; time < times; time += 1) yield BLOCK;
}

async function countBytes(body: Readable): Promise<number> {
  let bytes = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) bytes += chunk.length;
  return bytes;
}

describe('keepDiskReserve', () => {
  it('passes the bytes on', async () => {
    const body = keepDiskReserve(
      Readable.from([Buffer.from('so'), Buffer.from('und')]),
      async () => undefined,
    );
    expect(await buffer(body)).toEqual(Buffer.from('sound'));
  });

  it('looks at the disk every 64 MiB', async () => {
    const assertRoom = vi.fn(async () => undefined);
    expect(await countBytes(keepDiskReserve(Readable.from(repeatBlock(9)), assertRoom))).toBe(
      9 * BLOCK.length,
    );
    expect(assertRoom).toHaveBeenCalledTimes(2);
  });

  it('fails when the disk has no more room, and closes the source', async () => {
    const source = Readable.from(repeatBlock(100));
    const assertRoom = vi.fn(async () => undefined).mockRejectedValueOnce(new Error('no room'));
    await expect(countBytes(keepDiskReserve(source, assertRoom))).rejects.toThrow('no room');
    expect(source.destroyed).toBe(true);
  });

  it('fails with the error of the source', async () => {
    const source = new Readable({ read: () => undefined });
    const body = keepDiskReserve(source, async () => undefined);
    source.destroy(new RangeError('cut'));
    await expect(countBytes(body)).rejects.toThrow('cut');
  });

  it('closes a source that was not read', async () => {
    const source = new Readable({ read: () => undefined });
    keepDiskReserve(source, async () => undefined).destroy();
    await expect.poll(() => source.destroyed).toBe(true);
  });
});
