import { describe, expect, it } from 'vitest';
import { BoundedUploader } from './bounded-uploader.js';

/** Puts that end when they are told to. */
function createPendingPut() {
  const begun: number[] = [];
  const pending: { resolve: () => void; reject: (error: Error) => void }[] = [];
  const put = (index: number) => () =>
    new Promise<void>((resolve, reject) => {
      begun.push(index);
      pending.push({ resolve, reject });
    });
  return { begun, pending, put };
}

describe('BoundedUploader', () => {
  it('runs up to four uploads at a time, and flush waits for all of them', async () => {
    const ahead = new BoundedUploader();
    const { begun, pending, put } = createPendingPut();
    for (const index of [0, 1, 2, 3]) await ahead.add(put(index));
    const fifth = ahead.add(put(4));
    expect(begun).toEqual([0, 1, 2, 3]);
    pending[2]?.resolve();
    await fifth;
    expect(begun).toEqual([0, 1, 2, 3, 4]);
    for (const { resolve } of pending) resolve();
    await expect(ahead.flush()).resolves.toBeUndefined();
  });

  it('reports a failed upload from the next add call and from flush', async () => {
    const ahead = new BoundedUploader();
    const { begun, pending, put } = createPendingPut();
    for (const index of [0, 1, 2, 3]) await ahead.add(put(index));
    pending[1]?.reject(new Error('the disk is full'));
    await expect(ahead.add(put(4))).rejects.toThrow('the disk is full');
    expect(begun).not.toContain(4);
    await expect(ahead.flush()).rejects.toThrow('the disk is full');
    for (const { resolve } of pending) resolve();
    await expect(ahead.waitUntilSettled()).resolves.toBeUndefined();
  });
});
