import { describe, expect, it } from 'vitest';
import { BoundedUploader } from './bounded-uploader.js';

/** Uploads that end when a test resolves or rejects them. */
function createPendingPut() {
  const started: number[] = [];
  const pending: { resolve: () => void; reject: (error: Error) => void }[] = [];
  const put = (index: number) => () =>
    new Promise<void>((resolve, reject) => {
      started.push(index);
      pending.push({ resolve, reject });
    });
  return { started, pending, put };
}

describe('BoundedUploader', () => {
  it('runs up to four uploads at a time, and flush waits for all of them', async () => {
    const uploader = new BoundedUploader();
    const { started, pending, put } = createPendingPut();
    for (const index of [0, 1, 2, 3]) await uploader.add(put(index));
    const fifth = uploader.add(put(4));
    expect(started).toEqual([0, 1, 2, 3]);
    pending[2]?.resolve();
    await fifth;
    expect(started).toEqual([0, 1, 2, 3, 4]);
    for (const { resolve } of pending) resolve();
    await expect(uploader.flush()).resolves.toBeUndefined();
  });

  it('reports a failed upload from the next add call and from flush', async () => {
    const uploader = new BoundedUploader();
    const { started, pending, put } = createPendingPut();
    for (const index of [0, 1, 2, 3]) await uploader.add(put(index));
    pending[1]?.reject(new Error('the disk is full'));
    await expect(uploader.add(put(4))).rejects.toThrow('the disk is full');
    expect(started).not.toContain(4);
    await expect(uploader.flush()).rejects.toThrow('the disk is full');
    for (const { resolve } of pending) resolve();
    await expect(uploader.waitUntilSettled()).resolves.toBeUndefined();
  });
});
