import { describe, expect, it } from 'vitest';
import { StageSlots } from './stage-slots.js';

const { signal } = new AbortController();

describe('StageSlots', () => {
  it('gives as many slots as there are', async () => {
    const slots = new StageSlots(2);
    await slots.take(signal);
    const release = slots.tryTake();
    expect(slots.tryTake()).toBeNull();
    release?.();
    release?.();
    expect(slots.tryTake()).not.toBeNull();
    expect(slots.tryTake()).toBeNull();
  });

  it('gives a slot that becomes free to who waits the longest, and none to who does not wait', async () => {
    const slots = new StageSlots(1);
    const served: number[] = [];
    const release = await slots.take(signal);
    const waiting = [1, 2].map(async (number) => {
      const free = await slots.take(signal);
      served.push(number);
      return free;
    });
    release();
    expect(slots.tryTake()).toBeNull();
    (await waiting[0])?.();
    await waiting[1];
    expect(served).toEqual([1, 2]);
  });

  it('gives no slot to who has stopped waiting', async () => {
    const slots = new StageSlots(1);
    const release = await slots.take(signal);
    const stop = new AbortController();
    const waiting = slots.take(stop.signal);
    stop.abort(new Error('closing'));
    await expect(waiting).rejects.toThrow('closing');
    await expect(slots.take(stop.signal)).rejects.toThrow('closing');
    release();
    expect(slots.tryTake()).not.toBeNull();
  });
});
