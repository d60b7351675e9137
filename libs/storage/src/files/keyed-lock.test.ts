import { describe, expect, it } from 'vitest';
import { KeyedLock } from './keyed-lock.js';

describe('KeyedLock', () => {
  it('serializes work per name, also after failures, and runs different names concurrently', async () => {
    const lock = new KeyedLock();
    const seen: string[] = [];
    const { promise: gate, open } = gateway();
    const first = lock.run('a', async () => {
      await gate;
      seen.push('first');
      throw new Error('first failed');
    });
    const second = lock.run('a', async () => void seen.push('second'));
    await lock.run('b', async () => void seen.push('other'));
    open();
    await expect(first).rejects.toThrow('first failed');
    await second;
    expect(seen).toEqual(['other', 'first', 'second']);
  });
});

function gateway(): { promise: Promise<void>; open: () => void } {
  let open = (): void => undefined;
  const promise = new Promise<void>((resolve) => (open = resolve));
  return { promise, open };
}
