import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { assertDiskHasRoom } from './assert-disk-has-room.js';

const NO_RESERVE = { bytes: 0, usableShare: 0 };

describe('assertDiskHasRoom', () => {
  it('accepts what fits', async () => {
    await expect(assertDiskHasRoom(tmpdir(), 1, { bytes: 1, usableShare: 0 })).resolves.toBeUndefined();
  });

  it('fails like a write to a full disk when the bytes do not fit', async () => {
    const asserting = assertDiskHasRoom(tmpdir(), Number.MAX_SAFE_INTEGER, NO_RESERVE);
    await expect(asserting).rejects.toMatchObject({ code: 'ENOSPC' });
  });

  it('leaves a folder that cannot be examined to those who write to it', async () => {
    await expect(
      assertDiskHasRoom('/no/such/folder', Number.MAX_SAFE_INTEGER, NO_RESERVE),
    ).resolves.toBeUndefined();
  });
});
