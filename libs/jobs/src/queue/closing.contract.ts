import { describe, expect, it, vi } from 'vitest';
import {
  SHORT_LOCK_TIMINGS,
  WAIT_FOR_OPTIONS,
  buildChunkMessage,
  buildChunkMessages,
  consumeChunkIndexesInto,
  createGate,
  type TestQueueServer,
  useTestQueueServer,
} from './contract-support.contract.js';
import type { QueueMessageReport } from './queue-message.js';

/** Rejects when the signal is aborted, as a well-behaved handler does. */
function rejectWhenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason));
  });
}

export function describeClosing(getStore: () => TestQueueServer): void {
  describe('closing consumers', () => {
    const harness = useTestQueueServer(getStore);

    it('a running handler finishes when its consumer is closed', async () => {
      const gate = createGate();
      const seen: string[] = [];
      const consumer = await harness.queue.consume('chunk', 1, async ({ index }, signal) => {
        seen.push(`begin ${index}`);
        await gate.opened;
        seen.push(signal.aborted ? 'aborted' : `end ${index}`);
      });
      await harness.queue.add(buildChunkMessages(2));
      await vi.waitFor(() => expect(seen).toEqual(['begin 0']), WAIT_FOR_OPTIONS);
      const closed = consumer.close(20_000);
      expect(consumer.isConsuming).toBe(false);
      gate.open();
      await closed;
      expect(seen).toEqual(['begin 0', 'end 0']);
      expect(await harness.queue.counts('chunk')).toEqual({ waiting: 1, active: 0 });
    });

    it('a handler that exceeds the grace period is aborted, and its message goes to another consumer at once', async () => {
      const reports: QueueMessageReport[] = [];
      const reportingQueue = harness.open({ onMessageHandled: (report) => void reports.push(report) });
      let begun = false;
      const consumer = await reportingQueue.consume('chunk', 1, async (_, signal) => {
        begun = true;
        await rejectWhenAborted(signal);
      });
      await harness.queue.add([buildChunkMessage(5)]);
      await vi.waitFor(() => expect(begun).toBe(true), WAIT_FOR_OPTIONS);
      await consumer.close(50);
      expect(reports.map(({ outcome }) => outcome)).toEqual(['returned']);
      const seen: number[] = [];
      await consumeChunkIndexesInto(harness.queue, seen);
      await vi.waitFor(() => expect(seen).toEqual([5]), WAIT_FOR_OPTIONS);
    });

    it('closing does not wait forever for a handler that ignores the abort signal', async () => {
      const gate = createGate();
      let begun = false;
      const consumer = await harness.queue.consume('chunk', 1, async () => {
        begun = true;
        await gate.opened;
      });
      await harness.queue.add([buildChunkMessage(1)]);
      await vi.waitFor(() => expect(begun).toBe(true), WAIT_FOR_OPTIONS);
      const startedAt = performance.now();
      await consumer.close(50);
      expect(performance.now() - startedAt).toBeLessThan(9_000);
      gate.open();
    });

    it('the message of a killed consumer is delivered again', async () => {
      await harness.queue.add([buildChunkMessage(3)]);
      await harness.store.killConsumerWhileHandling(SHORT_LOCK_TIMINGS);
      expect(await harness.queue.counts('chunk')).toEqual({ waiting: 0, active: 1 });
      const seen: number[] = [];
      await consumeChunkIndexesInto(harness.queue, seen);
      await vi.waitFor(() => expect(seen).toEqual([3]), WAIT_FOR_OPTIONS);
    });

    it('a message is delivered again however many consumers were killed while handling it', async () => {
      await harness.queue.add([buildChunkMessage(3)]);
      for (let times = 0; times < 3; times++)
        await harness.store.killConsumerWhileHandling(SHORT_LOCK_TIMINGS);
      const seen: number[] = [];
      await consumeChunkIndexesInto(harness.queue, seen);
      await vi.waitFor(() => expect(seen).toEqual([3]), WAIT_FOR_OPTIONS);
    });
  });
}
