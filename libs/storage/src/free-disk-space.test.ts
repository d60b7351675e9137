import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { expect, it } from 'vitest';
import { readDiskSpaceAndReserve } from './free-disk-space.js';

it('a reserve takes at most a twentieth of the disk', async () => {
  const { blocks, bsize } = await statfs(tmpdir());
  expect(await readDiskSpaceAndReserve(tmpdir(), 1_000)).toMatchObject({ reserve: 1_000 });
  const { free, reserve } = await readDiskSpaceAndReserve(tmpdir(), Number.MAX_SAFE_INTEGER);
  expect(reserve).toBeCloseTo((blocks * bsize) / 20, 0);
  expect(free).toBeGreaterThan(0);
});
