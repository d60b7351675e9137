import { describe, expect, it, vi } from 'vitest';
import {
  BRISK,
  PATIENCE,
  byValue,
  chunk,
  chunks,
  collect,
  gate,
  numbers,
  type QueueStore,
  useStore,
} from './contract-kit.contract.js';
import { type JobQueue, QueueUnavailable } from './job-queue.js';
import type { DeliveryReport } from './queue-options.js';

export function describeDelivering(getStore: () => QueueStore): void {
  describe('delivering', () => {
    const bench = useStore(getStore);

    it('delivers exactly the payload', async () => {
      const seen: unknown[] = [];
      const payload = { jobId: '019a-ü-語-"\\', note: { list: [1, 2.5, null], empty: {} } };
      await bench.queue.consume('preprocess', 1, async (got) => void seen.push(got));
      await bench.queue.add([{ queue: 'preprocess', id: 'a-1', payload }]);
      await vi.waitFor(() => expect(seen).toEqual([payload]), PATIENCE);
    });

    it('keeps its queues apart', async () => {
      const seen: string[] = [];
      await bench.queue.consume('preprocess', 1, async () => void seen.push('preprocess'));
      await bench.queue.consume('aggregation', 1, async () => void seen.push('aggregation'));
      await bench.queue.add([
        { queue: 'preprocess', id: 'same-id', payload: { jobId: 'a' } },
        { queue: 'aggregation', id: 'same-id', payload: { jobId: 'a' } },
      ]);
      await vi.waitFor(() => expect(seen.sort()).toEqual(['aggregation', 'preprocess']), PATIENCE);
    });

    it('holds an id once, however often it is added', async () => {
      await bench.queue.add([chunk(1), chunk(1), chunk(2)]);
      await bench.queue.add([chunk(1)]);
      expect(await bench.queue.counts('chunk')).toEqual({ waiting: 2, active: 0 });
      const seen: number[] = [];
      const door = gate();
      await bench.queue.consume('chunk', 1, async ({ index }) => {
        seen.push(index);
        await door.opened;
      });
      await vi.waitFor(() => expect(seen).toEqual([1]), PATIENCE);
      await bench.queue.add([chunk(1)]);
      expect(await bench.queue.counts('chunk')).toEqual({ waiting: 1, active: 1 });
      door.open();
      await vi.waitFor(() => expect(seen).toEqual([1, 2]), PATIENCE);
    });

    it('takes an id again once its delivery is over', async () => {
      const seen: number[] = [];
      await collect(bench.queue, seen);
      for (const times of [1, 2, 3]) {
        await bench.queue.add([chunk(7)]);
        await vi.waitFor(() => expect(seen).toHaveLength(times), PATIENCE);
        await vi.waitFor(
          async () => expect(await bench.queue.counts('chunk')).toEqual({ waiting: 0, active: 0 }),
          PATIENCE,
        );
      }
    });

    it.each(['', 'a:b', '123', 'a b', 'ä', 'x'.repeat(201)])('refuses the id %j', async (id) => {
      await expect(bench.queue.add([{ queue: 'preprocess', id, payload: { jobId: 'a' } }])).rejects.toThrow(
        TypeError,
      );
    });

    it('runs as many handlers at once as asked, and no more', async () => {
      const door = gate();
      let running = 0;
      let peak = 0;
      let done = 0;
      await bench.queue.consume('chunk', 3, async () => {
        peak = Math.max(peak, ++running);
        await door.opened;
        running--;
        done++;
      });
      await bench.queue.add(chunks(20));
      await vi.waitFor(() => expect(running).toBe(3), PATIENCE);
      door.open();
      await vi.waitFor(() => expect(done).toBe(20), PATIENCE);
      expect(peak).toBe(3);
    });

    it('delivers every one of two thousand, once', async () => {
      const seen: number[] = [];
      await collect(bench.queue, seen, 8);
      await bench.queue.add(chunks(2_000));
      await vi.waitFor(() => expect(seen.length).toBeGreaterThanOrEqual(2_000), {
        timeout: 40_000,
        interval: 50,
      });
      expect(seen.sort(byValue)).toEqual(numbers(2_000));
      await vi.waitFor(
        async () => expect(await bench.queue.counts('chunk')).toEqual({ waiting: 0, active: 0 }),
        PATIENCE,
      );
    });

    it('delivers in about the order of adding', async () => {
      const seen: number[] = [];
      for (const delivery of chunks(50)) await bench.queue.add([delivery]);
      await collect(bench.queue, seen, 1);
      await vi.waitFor(() => expect(seen).toHaveLength(50), PATIENCE);
      const displaced = seen.filter((index, place) => Math.abs(index - place) > 2);
      expect(displaced).toEqual([]);
    });

    it('shares the work between consumers', async () => {
      const [left, right]: [number[], number[]] = [[], []];
      const other = bench.open({ timings: BRISK });
      // Neither can have it all: each waits until both have had one.
      const both = gate();
      const share = (into: number[], from: JobQueue) =>
        from.consume('chunk', 1, async ({ index }) => {
          into.push(index);
          if (left.length > 0 && right.length > 0) both.open();
          await both.opened;
        });
      await share(left, bench.queue);
      await share(right, other);
      await bench.queue.add(chunks(40));
      await vi.waitFor(() => expect(left.length + right.length).toBe(40), PATIENCE);
      expect([...left, ...right].sort(byValue)).toEqual(numbers(40));
    });

    it('wakes an idle consumer at once, long before it would look by itself', async () => {
      const idle = bench.open({ timings: { ...BRISK, idle: 60_000 } });
      const seen: number[] = [];
      await collect(idle, seen);
      for (const index of numbers(3)) {
        await bench.queue.add([chunk(index)]);
        await vi.waitFor(() => expect(seen).toHaveLength(index + 1), PATIENCE);
      }
    });

    it('goes on after a handler that throws, and tells of it', async () => {
      const reports: DeliveryReport[] = [];
      const told = bench.open({ timings: BRISK, onDelivery: (report) => void reports.push(report) });
      const seen: number[] = [];
      await told.consume('chunk', 1, async ({ index }) => {
        seen.push(index);
        if (index % 2 === 0) throw new Error('a handler that fails');
      });
      await bench.queue.add(chunks(6));
      await vi.waitFor(() => expect(reports).toHaveLength(6), PATIENCE);
      expect(seen).toEqual(numbers(6));
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
        async () => expect(await bench.queue.counts('chunk')).toEqual({ waiting: 0, active: 0 }),
        PATIENCE,
      );
      expect(bench.store.warnings().filter((line) => line.includes('a handler that fails'))).toHaveLength(3);
    });

    it('answers a ping and counts', async () => {
      await bench.queue.ping();
      expect(await bench.queue.counts('aggregation')).toEqual({ waiting: 0, active: 0 });
      await bench.queue.add(chunks(3));
      expect(await bench.queue.counts('chunk')).toEqual({ waiting: 3, active: 0 });
    });

    it('refuses everything once it is closed', async () => {
      await bench.queue.close();
      await expect(bench.queue.add([chunk(1)])).rejects.toThrow(QueueUnavailable);
      await expect(bench.queue.ping()).rejects.toThrow(QueueUnavailable);
      await expect(bench.queue.consume('chunk', 1, async () => {})).rejects.toThrow(QueueUnavailable);
    });
  });
}
