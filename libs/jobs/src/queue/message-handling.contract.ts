import { describe, expect, it, vi } from 'vitest';
import {
  FAST_TIMINGS,
  WAIT_FOR_OPTIONS,
  compareNumbers,
  buildChunkMessage,
  buildChunkMessages,
  consumeChunkIndexesInto,
  createGate,
  range,
  type TestQueueServer,
  type QueueUnderTest,
  useTestQueueServer,
} from './contract-support.contract.js';
import {
  ReturnMessageToQueueError,
  type QueueMessageReport,
  QueueUnavailableError,
} from './queue-message.js';

export function describeMessageHandling(getStore: () => TestQueueServer): void {
  describe('message handling', () => {
    const harness = useTestQueueServer(getStore);

    it('a handler receives exactly the payload', async () => {
      const seen: unknown[] = [];
      const payload = { jobId: '019a-ü-語-"\\', note: { list: [1, 2.5, null], empty: {} } };
      await harness.queue.consume('preprocess', 1, async (got) => void seen.push(got));
      await harness.queue.add([{ queue: 'preprocess', id: 'a-1', payload }]);
      await vi.waitFor(() => expect(seen).toEqual([payload]), WAIT_FOR_OPTIONS);
    });

    it('queues are separate, even for equal message ids', async () => {
      const seen: string[] = [];
      await harness.queue.consume('preprocess', 1, async () => void seen.push('preprocess'));
      await harness.queue.consume('aggregation', 1, async () => void seen.push('aggregation'));
      await harness.queue.add([
        { queue: 'preprocess', id: 'same-id', payload: { jobId: 'a' } },
        { queue: 'aggregation', id: 'same-id', payload: { jobId: 'a' } },
      ]);
      await vi.waitFor(() => expect(seen.sort()).toEqual(['aggregation', 'preprocess']), WAIT_FOR_OPTIONS);
    });

    it('a queue holds one message per id, however often it is added', async () => {
      await harness.queue.add([buildChunkMessage(1), buildChunkMessage(1), buildChunkMessage(2)]);
      await harness.queue.add([buildChunkMessage(1)]);
      expect(await harness.queue.counts('chunk')).toEqual({ waiting: 2, active: 0 });
      const seen: number[] = [];
      const gate = createGate();
      await harness.queue.consume('chunk', 1, async ({ index }) => {
        seen.push(index);
        await gate.opened;
      });
      await vi.waitFor(() => expect(seen).toEqual([1]), WAIT_FOR_OPTIONS);
      await harness.queue.add([buildChunkMessage(1)]);
      expect(await harness.queue.counts('chunk')).toEqual({ waiting: 1, active: 1 });
      gate.open();
      await vi.waitFor(() => expect(seen).toEqual([1, 2]), WAIT_FOR_OPTIONS);
    });

    it('an id can be added again when its message is finished', async () => {
      const seen: number[] = [];
      await consumeChunkIndexesInto(harness.queue, seen);
      for (const times of [1, 2, 3]) {
        await harness.queue.add([buildChunkMessage(7)]);
        await vi.waitFor(() => expect(seen).toHaveLength(times), WAIT_FOR_OPTIONS);
        await vi.waitFor(
          async () => expect(await harness.queue.counts('chunk')).toEqual({ waiting: 0, active: 0 }),
          WAIT_FOR_OPTIONS,
        );
      }
    });

    it.each(['', 'a:b', '123', 'a b', 'ä', 'x'.repeat(201)])(
      'a message with the invalid id %j is rejected',
      async (id) => {
        await expect(
          harness.queue.add([{ queue: 'preprocess', id, payload: { jobId: 'a' } }]),
        ).rejects.toThrow(TypeError);
      },
    );

    it('a consumer runs as many handlers at once as configured, and no more', async () => {
      const gate = createGate();
      let running = 0;
      let peak = 0;
      let done = 0;
      await harness.queue.consume('chunk', 3, async () => {
        peak = Math.max(peak, ++running);
        await gate.opened;
        running--;
        done++;
      });
      await harness.queue.add(buildChunkMessages(20));
      await vi.waitFor(() => expect(running).toBe(3), WAIT_FOR_OPTIONS);
      gate.open();
      await vi.waitFor(() => expect(done).toBe(20), WAIT_FOR_OPTIONS);
      expect(peak).toBe(3);
    });

    it('a returned message goes to another consumer, and its own consumer takes none until it is resumed', async () => {
      const gate = createGate();
      const taken: number[] = [];
      let isResumed = false;
      const returning = await harness.queue.consume('chunk', 2, async ({ index }) => {
        taken.push(index);
        if (!isResumed) throw new ReturnMessageToQueueError(gate.opened);
      });
      await harness.queue.add([buildChunkMessage(1)]);
      await vi.waitFor(() => expect(taken).toEqual([1]), WAIT_FOR_OPTIONS);
      await vi.waitFor(
        async () => expect(await harness.queue.counts('chunk')).toEqual({ waiting: 1, active: 0 }),
        WAIT_FOR_OPTIONS,
      );
      await vi.waitFor(() => expect(returning.isConsuming).toBe(false), WAIT_FOR_OPTIONS);

      const seen: number[] = [];
      const other = await consumeChunkIndexesInto(harness.open({ timings: FAST_TIMINGS }), seen);
      await harness.queue.add([buildChunkMessage(2)]);
      await vi.waitFor(() => expect(seen.toSorted(compareNumbers)).toEqual([1, 2]), WAIT_FOR_OPTIONS);
      // Longer than a consumer that polls may be silent before it is replaced.
      for (let beats = 0; beats < 100; beats += 1) await returning.checkHeartbeat();
      expect(taken).toEqual([1]);

      await other.close(0);
      isResumed = true;
      gate.open();
      await harness.queue.add([buildChunkMessage(3)]);
      await vi.waitFor(() => expect(taken).toEqual([1, 3]), WAIT_FOR_OPTIONS);
      expect(returning.isConsuming).toBe(true);
    });

    it('two thousand messages are each delivered once', async () => {
      const seen: number[] = [];
      await consumeChunkIndexesInto(harness.queue, seen, 8);
      await harness.queue.add(buildChunkMessages(2_000));
      await vi.waitFor(() => expect(seen.length).toBeGreaterThanOrEqual(2_000), {
        timeout: 40_000,
        interval: 50,
      });
      expect(seen.sort(compareNumbers)).toEqual(range(2_000));
      await vi.waitFor(
        async () => expect(await harness.queue.counts('chunk')).toEqual({ waiting: 0, active: 0 }),
        WAIT_FOR_OPTIONS,
      );
    });

    it('messages are delivered approximately in the order in which they were added', async () => {
      const seen: number[] = [];
      for (const delivery of buildChunkMessages(50)) await harness.queue.add([delivery]);
      await consumeChunkIndexesInto(harness.queue, seen, 1);
      await vi.waitFor(() => expect(seen).toHaveLength(50), WAIT_FOR_OPTIONS);
      const displaced = seen.filter((index, position) => Math.abs(index - position) > 2);
      expect(displaced).toEqual([]);
    });

    it('two consumers share the messages of a queue', async () => {
      const [first, second]: [number[], number[]] = [[], []];
      const other = harness.open({ timings: FAST_TIMINGS });
      // Neither can have it all: each waits until both have had one.
      const both = createGate();
      const share = (into: number[], from: QueueUnderTest) =>
        from.consume('chunk', 1, async ({ index }) => {
          into.push(index);
          if (first.length > 0 && second.length > 0) both.open();
          await both.opened;
        });
      await share(first, harness.queue);
      await share(second, other);
      await harness.queue.add(buildChunkMessages(40));
      await vi.waitFor(() => expect(first.length + second.length).toBe(40), WAIT_FOR_OPTIONS);
      expect([...first, ...second].sort(compareNumbers)).toEqual(range(40));
    });

    it('a new message wakes an idle consumer at once', async () => {
      const idleQueue = harness.open({ timings: { ...FAST_TIMINGS, idlePollMs: 60_000 } });
      const seen: number[] = [];
      await consumeChunkIndexesInto(idleQueue, seen);
      for (const index of range(3)) {
        await harness.queue.add([buildChunkMessage(index)]);
        await vi.waitFor(() => expect(seen).toHaveLength(index + 1), WAIT_FOR_OPTIONS);
      }
    });

    it('a handler that throws is reported and logged, and the consumer continues', async () => {
      const reports: QueueMessageReport[] = [];
      const reportingQueue = harness.open({
        timings: FAST_TIMINGS,
        onMessageHandled: (report) => void reports.push(report),
      });
      const seen: number[] = [];
      await reportingQueue.consume('chunk', 1, async ({ index }) => {
        seen.push(index);
        if (index % 2 === 0) throw new Error('a handler that fails');
      });
      await harness.queue.add(buildChunkMessages(6));
      await vi.waitFor(() => expect(reports).toHaveLength(6), WAIT_FOR_OPTIONS);
      expect(seen).toEqual(range(6));
      expect(reports.map(({ outcome }) => outcome)).toEqual([
        'failed',
        'done',
        'failed',
        'done',
        'failed',
        'done',
      ]);
      for (const report of reports) {
        expect(report).toMatchObject({ queue: 'chunk' });
        expect(report.waitMs).toBeGreaterThanOrEqual(0);
        expect(report.runMs).toBeGreaterThanOrEqual(0);
      }
      await vi.waitFor(
        async () => expect(await harness.queue.counts('chunk')).toEqual({ waiting: 0, active: 0 }),
        WAIT_FOR_OPTIONS,
      );
      expect(harness.store.warnings().filter((line) => line.includes('a handler that fails'))).toHaveLength(
        3,
      );
    });

    it('a queue answers pings and counts its messages', async () => {
      await harness.queue.ping();
      expect(await harness.queue.counts('aggregation')).toEqual({ waiting: 0, active: 0 });
      await harness.queue.add(buildChunkMessages(3));
      expect(await harness.queue.counts('chunk')).toEqual({ waiting: 3, active: 0 });
    });

    it('a closed queue rejects every call and consumes nothing', async () => {
      const consumer = await harness.queue.consume('chunk', 1, async () => {});
      await harness.queue.close();
      await expect(harness.queue.add([buildChunkMessage(1)])).rejects.toThrow(QueueUnavailableError);
      await expect(harness.queue.ping()).rejects.toThrow(QueueUnavailableError);
      await consumer.checkHeartbeat();
      expect(consumer.isConsuming).toBe(false);
    });
  });
}
