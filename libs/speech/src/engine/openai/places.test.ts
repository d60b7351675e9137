import { describe, expect, it } from 'vitest';
import { Places } from './places.js';

const never = new AbortController().signal;

function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { open: () => open(), opened };
}

describe('Places', () => {
  it('let in so many at once, in the order in which they came', async () => {
    const places = new Places(2);
    const seen: number[] = [];
    const gates = [0, 1, 2, 3].map(() => gate());
    const work = gates.map(({ opened }, index) =>
      places.within(never, async () => {
        seen.push(index);
        await opened;
      }),
    );
    expect(seen).toHaveLength(0);
    await expect.poll(() => seen).toEqual([0, 1]);
    gates[1]?.open();
    await expect.poll(() => seen).toEqual([0, 1, 2]);
    for (const { open } of gates) open();
    await Promise.all(work);
    expect(seen).toEqual([0, 1, 2, 3]);
  });

  it('are given back by work that fails, and not taken by one that stopped waiting', async () => {
    const places = new Places(1);
    const { open, opened } = gate();
    const first = places.within(never, async () => {
      await opened;
      throw new Error('failed');
    });
    const controller = new AbortController();
    const second = places.within(controller.signal, async () => 'never');
    const third = places.within(never, async () => 'done');
    controller.abort(new Error('no longer wanted'));
    await expect(second).rejects.toThrow('no longer wanted');
    open();
    await expect(first).rejects.toThrow('failed');
    expect(await third).toBe('done');
    await expect(places.within(controller.signal, async () => 'late')).rejects.toThrow('no longer wanted');
    expect(await places.within(never, async () => 'free again')).toBe('free again');
  });
});
