import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { FreeDiskSpaceCheck } from './free-disk-space-check.js';

const MIB = 2 ** 20;
const RESERVE = 10 * MIB;
const REJECTION = { status: 503, retryAfter: 30 };

/** @param free bytes of the disk at each reading; the last also afterwards */
function createCheck(...free: number[]): FreeDiskSpaceCheck {
  return new FreeDiskSpaceCheck({ folder: '/disk', bytes: RESERVE }, async () => ({
    free: (free.length > 1 ? free.shift() : free[0]) ?? 0,
    reserve: RESERVE,
  }));
}

async function* repeatBlock(times: number) {
  const block = Buffer.alloc(16 * MIB);
  for (let time = 0; time < times; time += 1) yield block;
}

async function countBytes(body: AsyncIterable<Uint8Array>): Promise<number> {
  let bytes = 0;
  for await (const chunk of body) bytes += chunk.length;
  return bytes;
}

describe('audio is accepted', () => {
  it.each([
    ['on a disk with room', { folder: tmpdir(), bytes: 1 }],
    ['without a file store', { folder: null, bytes: Number.MAX_SAFE_INTEGER }],
    ['on a disk that cannot be examined', { folder: `${tmpdir()}/missing`, bytes: 1 }],
  ])('%s', async (_, options) => {
    const check = new FreeDiskSpaceCheck(options);
    await expect(check.assertFree(5)).resolves.toBeUndefined();
    expect(await countBytes(check.keepReserve(repeatBlock(5)))).toBe(80 * MIB);
  });

  it('if the reserve stays free', async () => {
    await expect(createCheck(RESERVE).assertFree()).resolves.toBeUndefined();
    await expect(createCheck(RESERVE + 5).assertFree(5)).resolves.toBeUndefined();
  });
});

describe('audio is rejected with 503', () => {
  it('while less than the reserve is free', async () => {
    await expect(createCheck(RESERVE - 1).assertFree()).rejects.toMatchObject(REJECTION);
  });

  it('if it is larger than what is free beside the reserve', async () => {
    await expect(createCheck(RESERVE + 5).assertFree(6)).rejects.toMatchObject(REJECTION);
  });

  it('when only the reserve is left', async () => {
    const check = createCheck(2 * RESERVE, RESERVE - 1);
    await check.assertFree();
    await expect(countBytes(check.keepReserve(repeatBlock(4)))).rejects.toMatchObject(REJECTION);
  });

  it('when bodies together have used up what is free', async () => {
    const check = createCheck(2 * RESERVE, RESERVE - 1);
    await check.assertFree();
    const bodies = [2, 2].map((times) => countBytes(check.keepReserve(repeatBlock(times))));
    expect((await Promise.allSettled(bodies)).map(({ status }) => status)).toContain('rejected');
  });
});
