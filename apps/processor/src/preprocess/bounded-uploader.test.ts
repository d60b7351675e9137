import { describe, expect, it } from 'vitest';
import { BoundedUploader } from './bounded-uploader.js';

/** Puts that end when they are told to. */
function puts() {
  const begun: number[] = [];
  const held: { resolve: () => void; reject: (error: Error) => void }[] = [];
  const put = (index: number) => () =>
    new Promise<void>((resolve, reject) => {
      begun.push(index);
      held.push({ resolve, reject });
    });
  return { begun, held, put };
}

describe('PutAhead', () => {
  it('goes on without waiting, up to four at a time, and is done when all are', async () => {
    const ahead = new BoundedUploader();
    const { begun, held, put } = puts();
    for (const index of [0, 1, 2, 3]) await ahead.add(put(index));
    const fifth = ahead.add(put(4));
    expect(begun).toEqual([0, 1, 2, 3]);
    held[2]?.resolve();
    await fifth;
    expect(begun).toEqual([0, 1, 2, 3, 4]);
    for (const { resolve } of held) resolve();
    await expect(ahead.flush()).resolves.toBeUndefined();
  });

  it('tells a failure by the next call that waits, and at the end', async () => {
    const ahead = new BoundedUploader();
    const { begun, held, put } = puts();
    for (const index of [0, 1, 2, 3]) await ahead.add(put(index));
    held[1]?.reject(new Error('the disk is full'));
    await expect(ahead.add(put(4))).rejects.toThrow('the disk is full');
    expect(begun).not.toContain(4);
    await expect(ahead.flush()).rejects.toThrow('the disk is full');
    for (const { resolve } of held) resolve();
    await expect(ahead.waitUntilSettled()).resolves.toBeUndefined();
  });
});
