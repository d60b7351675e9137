import { tmpdir } from 'node:os';
import { expect, it } from 'vitest';
import { FreeDiskSpaceCheck } from './free-disk-space-check.js';

it.each([
  ['on a disk with room', { folder: tmpdir(), bytes: 1 }],
  ['without a file store', { folder: null, bytes: Number.MAX_SAFE_INTEGER }],
])('audio is accepted %s', async (_, options) => {
  await expect(new FreeDiskSpaceCheck(options).assertFree()).resolves.toBeUndefined();
});

it('audio is rejected with 503 while less than a twentieth of the disk is free', async () => {
  const reserve = new FreeDiskSpaceCheck({ folder: tmpdir(), bytes: Number.MAX_SAFE_INTEGER });
  Object.assign(reserve, { hasReserve: async () => false });
  await expect(reserve.assertFree()).rejects.toMatchObject({ status: 503, retryAfter: 30 });
});
