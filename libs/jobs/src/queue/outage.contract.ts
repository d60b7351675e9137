import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  MAX_CALL_MS,
  FAST_TIMINGS,
  WAIT_FOR_OPTIONS,
  buildChunkMessage,
  consumeChunkIndexesInto,
  createGate,
  type TestQueueServer,
  useTestQueueServer,
} from './contract-support.contract.js';
import { QueueUnavailableError } from './queue-message.js';

export function describeOutages(getStore: () => TestQueueServer): void {
  describe('an unavailable store', () => {
    const harness = useTestQueueServer(getStore);

    afterEach(async () => {
      await getStore().thaw();
      await getStore().makeAvailable();
    });

    it('makes calls fail within bounded time, and calls succeed after it recovers', async () => {
      const fresh = harness.open({ timings: FAST_TIMINGS });
      await harness.queue.add([buildChunkMessage(1)]);
      await harness.store.makeUnavailable();
      const opened = [harness.queue, fresh, harness.open({ timings: FAST_TIMINGS })];
      for (const each of opened) {
        for (const call of [
          () => each.ping(),
          () => each.counts('chunk'),
          () => each.add([buildChunkMessage(2)]),
        ]) {
          const startedAt = performance.now();
          await expect(call()).rejects.toThrow(QueueUnavailableError);
          expect(performance.now() - startedAt).toBeLessThan(MAX_CALL_MS);
        }
      }
      await harness.store.makeAvailable();
      for (const each of opened) {
        await vi.waitFor(() => each.ping(), WAIT_FOR_OPTIONS);
        await each.add([buildChunkMessage(3)]);
      }
      expect((await harness.queue.counts('chunk')).waiting).toBeGreaterThanOrEqual(1);
    });

    it('is noticed by a consumer, which warns once and consumes again afterwards', async () => {
      const seen: number[] = [];
      const consumer = await consumeChunkIndexesInto(harness.queue, seen);
      await harness.queue.add([buildChunkMessage(1)]);
      await vi.waitFor(() => expect(seen).toEqual([1]), WAIT_FOR_OPTIONS);
      expect(consumer.isConsuming).toBe(true);
      await harness.store.makeUnavailable();
      await vi.waitFor(() => expect(consumer.isConsuming).toBe(false), WAIT_FOR_OPTIONS);
      await harness.store.makeAvailable();
      await vi.waitFor(() => expect(consumer.isConsuming).toBe(true), WAIT_FOR_OPTIONS);
      await vi.waitFor(() => harness.queue.add([buildChunkMessage(2)]), WAIT_FOR_OPTIONS);
      await vi.waitFor(() => expect(seen).toContain(2), WAIT_FOR_OPTIONS);
      const chunkWarnings = harness.store.warnings().filter((line) => line.startsWith('chunk: queue '));
      expect(chunkWarnings.map((line) => line.split(':')[1]?.slice(0, 12))).toEqual([
        ' queue lost',
        ' queue back ',
      ]);
    });

    it('at the start lets a consumer begin as soon as the store is available', async () => {
      await harness.store.makeUnavailable();
      const seen: number[] = [];
      const consumer = await consumeChunkIndexesInto(harness.queue, seen);
      expect(consumer.isConsuming).toBe(false);
      await harness.store.makeAvailable();
      await vi.waitFor(() => expect(consumer.isConsuming).toBe(true), WAIT_FOR_OPTIONS);
      await vi.waitFor(() => harness.queue.add([buildChunkMessage(4)]), WAIT_FOR_OPTIONS);
      await vi.waitFor(() => expect(seen).toEqual([4]), WAIT_FOR_OPTIONS);
    });

    it('does not interrupt a running handler, and the consumer continues afterwards', async () => {
      const gate = createGate();
      const begun: number[] = [];
      const seen: number[] = [];
      const consumer = await harness.queue.consume('chunk', 1, async ({ index }) => {
        begun.push(index);
        if (index === 0) await gate.opened;
        seen.push(index);
      });
      await harness.queue.add([buildChunkMessage(0)]);
      // The store calls it active a moment before the handler has it.
      await vi.waitFor(() => expect(begun).toEqual([0]), WAIT_FOR_OPTIONS);
      await harness.store.makeUnavailable();
      await vi.waitFor(() => expect(consumer.isConsuming).toBe(false), WAIT_FOR_OPTIONS);
      gate.open();
      await vi.waitFor(() => expect(seen).toEqual([0]), WAIT_FOR_OPTIONS);
      await harness.store.makeAvailable();
      await vi.waitFor(() => harness.queue.add([buildChunkMessage(9)]), WAIT_FOR_OPTIONS);
      await vi.waitFor(() => expect(seen).toContain(9), WAIT_FOR_OPTIONS);
    });

    it('that hangs makes calls time out, and the consumer continues when it responds again', async () => {
      const seen: number[] = [];
      const consumer = await consumeChunkIndexesInto(harness.queue, seen);
      await harness.queue.add([buildChunkMessage(1)]);
      await vi.waitFor(() => expect(seen).toEqual([1]), WAIT_FOR_OPTIONS);
      await getStore().freeze();
      const startedAt = performance.now();
      await expect(harness.queue.add([buildChunkMessage(2)])).rejects.toThrow(QueueUnavailableError);
      expect(performance.now() - startedAt).toBeLessThan(MAX_CALL_MS);
      await vi.waitFor(() => expect(consumer.isConsuming).toBe(false), WAIT_FOR_OPTIONS);
      await getStore().thaw();
      await vi.waitFor(() => expect(consumer.isConsuming).toBe(true), WAIT_FOR_OPTIONS);
      await vi.waitFor(() => harness.queue.add([buildChunkMessage(3)]), WAIT_FOR_OPTIONS);
      await vi.waitFor(() => expect(seen).toContain(3), WAIT_FOR_OPTIONS);
    });

    it('does not keep a consumer and its queue from closing within bounded time', async () => {
      const consumer = await consumeChunkIndexesInto(harness.queue, []);
      await harness.queue.add([buildChunkMessage(1)]);
      await getStore().makeUnavailable();
      await vi.waitFor(() => expect(consumer.isConsuming).toBe(false), WAIT_FOR_OPTIONS);
      const startedAt = performance.now();
      await consumer.close(100);
      await harness.queue.close();
      expect(performance.now() - startedAt).toBeLessThan(MAX_CALL_MS);
    });
  });
}
