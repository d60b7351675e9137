import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  BOUNDED_MS,
  BRISK,
  PATIENCE,
  chunk,
  collect,
  gate,
  type QueueStore,
  useStore,
} from './contract-kit.contract.js';
import { QueueUnavailable } from './job-queue.js';

export function describeOutages(getStore: () => QueueStore): void {
  describe('when the store goes away', () => {
    const bench = useStore(getStore);

    afterEach(async () => {
      await getStore().thaw();
      await getStore().bringBack();
    });

    it('says so in bounded time, and works again afterwards', async () => {
      const fresh = bench.open({ timings: BRISK });
      await bench.queue.add([chunk(1)]);
      await bench.store.takeAway();
      for (const each of [bench.queue, fresh]) {
        for (const call of [() => each.ping(), () => each.counts('chunk'), () => each.add([chunk(2)])]) {
          const startedAt = performance.now();
          await expect(call()).rejects.toThrow(QueueUnavailable);
          expect(performance.now() - startedAt).toBeLessThan(BOUNDED_MS);
        }
      }
      await bench.store.bringBack();
      for (const each of [bench.queue, fresh]) {
        await vi.waitFor(() => each.ping(), PATIENCE);
        await each.add([chunk(3)]);
      }
      expect((await bench.queue.counts('chunk')).waiting).toBeGreaterThanOrEqual(1);
    });

    it('notices, warns once, and consumes again when it is back', async () => {
      const seen: number[] = [];
      const consumer = await collect(bench.queue, seen);
      await bench.queue.add([chunk(1)]);
      await vi.waitFor(() => expect(seen).toEqual([1]), PATIENCE);
      expect(consumer.consuming).toBe(true);
      await bench.store.takeAway();
      await vi.waitFor(() => expect(consumer.consuming).toBe(false), PATIENCE);
      await bench.store.bringBack();
      await vi.waitFor(() => expect(consumer.consuming).toBe(true), PATIENCE);
      await vi.waitFor(() => bench.queue.add([chunk(2)]), PATIENCE);
      await vi.waitFor(() => expect(seen).toContain(2), PATIENCE);
      const told = bench.store.warnings().filter((line) => line.startsWith('chunk: queue '));
      expect(told.map((line) => line.split(':')[1]?.slice(0, 12))).toEqual([' queue lost', ' queue back ']);
    });

    it('starts to consume later when it was away at the start', async () => {
      await bench.store.takeAway();
      const seen: number[] = [];
      const consumer = await collect(bench.queue, seen);
      expect(consumer.consuming).toBe(false);
      await bench.store.bringBack();
      await vi.waitFor(() => expect(consumer.consuming).toBe(true), PATIENCE);
      await vi.waitFor(() => bench.queue.add([chunk(4)]), PATIENCE);
      await vi.waitFor(() => expect(seen).toEqual([4]), PATIENCE);
    });

    it('lets a handler that was running finish, and goes on', async () => {
      const door = gate();
      const begun: number[] = [];
      const seen: number[] = [];
      const consumer = await bench.queue.consume('chunk', 1, async ({ index }) => {
        begun.push(index);
        if (index === 0) await door.opened;
        seen.push(index);
      });
      await bench.queue.add([chunk(0)]);
      // The store calls it active a moment before the handler has it.
      await vi.waitFor(() => expect(begun).toEqual([0]), PATIENCE);
      await bench.store.takeAway();
      await vi.waitFor(() => expect(consumer.consuming).toBe(false), PATIENCE);
      door.open();
      await vi.waitFor(() => expect(seen).toEqual([0]), PATIENCE);
      await bench.store.bringBack();
      await vi.waitFor(() => bench.queue.add([chunk(9)]), PATIENCE);
      await vi.waitFor(() => expect(seen).toContain(9), PATIENCE);
    });

    it('is bounded, notices and goes on when the store hangs and wakes up again', async () => {
      const seen: number[] = [];
      const consumer = await collect(bench.queue, seen);
      await bench.queue.add([chunk(1)]);
      await vi.waitFor(() => expect(seen).toEqual([1]), PATIENCE);
      await getStore().freeze();
      const startedAt = performance.now();
      await expect(bench.queue.add([chunk(2)])).rejects.toThrow(QueueUnavailable);
      expect(performance.now() - startedAt).toBeLessThan(BOUNDED_MS);
      await vi.waitFor(() => expect(consumer.consuming).toBe(false), PATIENCE);
      await getStore().thaw();
      await vi.waitFor(() => expect(consumer.consuming).toBe(true), PATIENCE);
      await vi.waitFor(() => bench.queue.add([chunk(3)]), PATIENCE);
      await vi.waitFor(() => expect(seen).toContain(3), PATIENCE);
    });

    it('closes in bounded time', async () => {
      const consumer = await collect(bench.queue, []);
      await bench.queue.add([chunk(1)]);
      await getStore().takeAway();
      await vi.waitFor(() => expect(consumer.consuming).toBe(false), PATIENCE);
      const startedAt = performance.now();
      await consumer.close(100);
      await bench.queue.close();
      expect(performance.now() - startedAt).toBeLessThan(BOUNDED_MS);
    });
  });
}
