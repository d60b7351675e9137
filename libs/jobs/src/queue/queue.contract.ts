import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Consumer, type Delivery, type JobQueue, QueueUnavailable } from './job-queue.js';
import type { DeliveryReport, QueueTimings } from './queue-options.js';

/** A store with nothing in it, and the power to take it away. */
export interface QueueStore {
  open(options?: {
    timings?: Partial<QueueTimings>;
    onDelivery?: (report: DeliveryReport) => void;
  }): JobQueue;
  /** What the adapters opened since the last `clear` have warned of. */
  warnings(): string[];
  clear(): Promise<void>;
  /** Ends the store at once. */
  takeAway(): Promise<void>;
  bringBack(): Promise<void>;
  /** Another process takes one delivery of `chunk` and is killed with -9 while it handles it. */
  dieWhileHandling(timings: Partial<QueueTimings>): Promise<void>;
}

/** Short enough for a test to see a lost delivery come back. */
const BRISK: Partial<QueueTimings> = {
  lock: 1_000,
  stalledCheck: 500,
  idle: 500,
  retry: 100,
  afterAbort: 500,
};
const PATIENCE = { timeout: 20_000, interval: 20 };

const chunk = (index: number, jobId = 'job'): Delivery<'chunk'> => ({
  queue: 'chunk',
  id: `${jobId}-chunk-${index}`,
  payload: { jobId, index },
});
const chunks = (count: number) => Array.from({ length: count }, (_, index) => chunk(index));
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);
const byValue = (a: number, b: number) => a - b;

/** A door that handlers wait at. */
function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}

/** Rejects when the signal is aborted, as a well-behaved handler does. */
function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason));
  });
}

export function describeJobQueue(name: string, getStore: () => QueueStore): void {
  describe(`the job queue over ${name}`, () => {
    const opened: JobQueue[] = [];
    let store: QueueStore;
    let queue: JobQueue;

    const open = (...options: Parameters<QueueStore['open']>) => {
      const made = store.open(...options);
      opened.push(made);
      return made;
    };
    /** Notes the index of every chunk that is delivered. */
    const collect = async (from: JobQueue, into: number[], concurrency = 4): Promise<Consumer> =>
      from.consume('chunk', concurrency, async ({ index }) => void into.push(index));

    beforeEach(async () => {
      store = getStore();
      await store.clear();
      queue = open({ timings: BRISK });
    });
    afterEach(async () => {
      await Promise.all(opened.splice(0).map((each) => each.close()));
    });

    it('delivers exactly the payload', async () => {
      const seen: unknown[] = [];
      const payload = { jobId: '019a-ü-語-"\\', note: { list: [1, 2.5, null], empty: {} } };
      await queue.consume('preprocess', 1, async (got) => void seen.push(got));
      await queue.add([{ queue: 'preprocess', id: 'a-1', payload }]);
      await vi.waitFor(() => expect(seen).toEqual([payload]), PATIENCE);
    });

    it('keeps its queues apart', async () => {
      const seen: string[] = [];
      await queue.consume('preprocess', 1, async () => void seen.push('preprocess'));
      await queue.consume('aggregation', 1, async () => void seen.push('aggregation'));
      await queue.add([
        { queue: 'preprocess', id: 'same-id', payload: { jobId: 'a' } },
        { queue: 'aggregation', id: 'same-id', payload: { jobId: 'a' } },
      ]);
      await vi.waitFor(() => expect(seen.sort()).toEqual(['aggregation', 'preprocess']), PATIENCE);
    });

    it('holds an id once, however often it is added', async () => {
      await queue.add([chunk(1), chunk(1), chunk(2)]);
      await queue.add([chunk(1)]);
      expect(await queue.counts('chunk')).toEqual({ waiting: 2, active: 0 });
      const seen: number[] = [];
      const door = gate();
      await queue.consume('chunk', 1, async ({ index }) => {
        seen.push(index);
        await door.opened;
      });
      await vi.waitFor(() => expect(seen).toEqual([1]), PATIENCE);
      await queue.add([chunk(1)]);
      expect(await queue.counts('chunk')).toEqual({ waiting: 1, active: 1 });
      door.open();
      await vi.waitFor(() => expect(seen).toEqual([1, 2]), PATIENCE);
    });

    it('takes an id again once its delivery is over', async () => {
      const seen: number[] = [];
      await collect(queue, seen);
      for (const times of [1, 2, 3]) {
        await queue.add([chunk(7)]);
        await vi.waitFor(() => expect(seen).toHaveLength(times), PATIENCE);
        await vi.waitFor(
          async () => expect(await queue.counts('chunk')).toEqual({ waiting: 0, active: 0 }),
          PATIENCE,
        );
      }
    });

    it.each(['', 'a:b', '123', 'a b', 'ä', 'x'.repeat(201)])('refuses the id %j', async (id) => {
      await expect(queue.add([{ queue: 'preprocess', id, payload: { jobId: 'a' } }])).rejects.toThrow(
        TypeError,
      );
    });

    it('runs as many handlers at once as asked, and no more', async () => {
      const door = gate();
      let running = 0;
      let peak = 0;
      let done = 0;
      await queue.consume('chunk', 3, async () => {
        peak = Math.max(peak, ++running);
        await door.opened;
        running--;
        done++;
      });
      await queue.add(chunks(20));
      await vi.waitFor(() => expect(running).toBe(3), PATIENCE);
      door.open();
      await vi.waitFor(() => expect(done).toBe(20), PATIENCE);
      expect(peak).toBe(3);
    });

    it('delivers every one of two thousand, once', async () => {
      const seen: number[] = [];
      await collect(queue, seen, 8);
      await queue.add(chunks(2_000));
      await vi.waitFor(() => expect(seen.length).toBeGreaterThanOrEqual(2_000), {
        timeout: 40_000,
        interval: 50,
      });
      expect(seen.sort(byValue)).toEqual(numbers(2_000));
      await vi.waitFor(
        async () => expect(await queue.counts('chunk')).toEqual({ waiting: 0, active: 0 }),
        PATIENCE,
      );
    });

    it('delivers in about the order of adding', async () => {
      const seen: number[] = [];
      for (const delivery of chunks(50)) await queue.add([delivery]);
      await collect(queue, seen, 1);
      await vi.waitFor(() => expect(seen).toHaveLength(50), PATIENCE);
      const displaced = seen.filter((index, place) => Math.abs(index - place) > 2);
      expect(displaced).toEqual([]);
    });

    it('shares the work between consumers', async () => {
      const [left, right]: [number[], number[]] = [[], []];
      const other = open({ timings: BRISK });
      // Neither can have it all: each waits until both have had one.
      const both = gate();
      const share = (into: number[], from: JobQueue) =>
        from.consume('chunk', 1, async ({ index }) => {
          into.push(index);
          if (left.length > 0 && right.length > 0) both.open();
          await both.opened;
        });
      await share(left, queue);
      await share(right, other);
      await queue.add(chunks(40));
      await vi.waitFor(() => expect(left.length + right.length).toBe(40), PATIENCE);
      expect([...left, ...right].sort(byValue)).toEqual(numbers(40));
    });

    it('wakes an idle consumer at once, long before it would look by itself', async () => {
      const idle = open({ timings: { ...BRISK, idle: 60_000 } });
      const seen: number[] = [];
      await collect(idle, seen);
      for (const index of numbers(3)) {
        await queue.add([chunk(index)]);
        await vi.waitFor(() => expect(seen).toHaveLength(index + 1), { timeout: 5_000, interval: 10 });
      }
    });

    it('goes on after a handler that throws, and tells of it', async () => {
      const reports: DeliveryReport[] = [];
      const told = open({ timings: BRISK, onDelivery: (report) => void reports.push(report) });
      const seen: number[] = [];
      await told.consume('chunk', 1, async ({ index }) => {
        seen.push(index);
        if (index % 2 === 0) throw new Error('a handler that fails');
      });
      await queue.add(chunks(6));
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
        async () => expect(await queue.counts('chunk')).toEqual({ waiting: 0, active: 0 }),
        PATIENCE,
      );
      expect(store.warnings().filter((line) => line.includes('a handler that fails'))).toHaveLength(3);
    });

    it('lets a running handler finish when it is closed', async () => {
      const door = gate();
      const seen: string[] = [];
      const consumer = await queue.consume('chunk', 1, async ({ index }, signal) => {
        seen.push(`begin ${index}`);
        await door.opened;
        seen.push(signal.aborted ? 'aborted' : `end ${index}`);
      });
      await queue.add(chunks(2));
      await vi.waitFor(() => expect(seen).toEqual(['begin 0']), PATIENCE);
      const closed = consumer.close(20_000);
      expect(consumer.consuming).toBe(false);
      door.open();
      await closed;
      expect(seen).toEqual(['begin 0', 'end 0']);
      expect(await queue.counts('chunk')).toEqual({ waiting: 1, active: 0 });
    });

    it('aborts a handler after the grace, and another consumer gets its delivery at once', async () => {
      const reports: DeliveryReport[] = [];
      const told = open({ onDelivery: (report) => void reports.push(report) });
      let begun = false;
      const consumer = await told.consume('chunk', 1, async (_, signal) => {
        begun = true;
        await untilAborted(signal);
      });
      await queue.add([chunk(5)]);
      await vi.waitFor(() => expect(begun).toBe(true), PATIENCE);
      await consumer.close(50);
      expect(reports.map(({ outcome }) => outcome)).toEqual(['returned']);
      const seen: number[] = [];
      await collect(queue, seen);
      await vi.waitFor(() => expect(seen).toEqual([5]), { timeout: 5_000, interval: 20 });
    });

    it('is not held for ever by a handler that does not listen', async () => {
      const door = gate();
      let begun = false;
      const consumer = await queue.consume('chunk', 1, async () => {
        begun = true;
        await door.opened;
      });
      await queue.add([chunk(1)]);
      await vi.waitFor(() => expect(begun).toBe(true), PATIENCE);
      const startedAt = performance.now();
      await consumer.close(50);
      expect(performance.now() - startedAt).toBeLessThan(9_000);
      door.open();
    });

    it('hands out again what a killed consumer held', async () => {
      await queue.add([chunk(3)]);
      await store.dieWhileHandling(BRISK);
      expect(await queue.counts('chunk')).toEqual({ waiting: 0, active: 1 });
      const seen: number[] = [];
      await collect(queue, seen);
      await vi.waitFor(() => expect(seen).toEqual([3]), { timeout: 10_000, interval: 20 });
    });

    it('never gives up on a delivery, however many consumers it has killed', async () => {
      await queue.add([chunk(3)]);
      for (let times = 0; times < 3; times++) await store.dieWhileHandling(BRISK);
      const seen: number[] = [];
      await collect(queue, seen);
      await vi.waitFor(() => expect(seen).toEqual([3]), { timeout: 10_000, interval: 20 });
    });

    it('answers a ping and counts', async () => {
      await queue.ping();
      expect(await queue.counts('aggregation')).toEqual({ waiting: 0, active: 0 });
      await queue.add(chunks(3));
      expect(await queue.counts('chunk')).toEqual({ waiting: 3, active: 0 });
    });

    it('refuses everything once it is closed', async () => {
      await queue.close();
      await expect(queue.add([chunk(1)])).rejects.toThrow(QueueUnavailable);
      await expect(queue.ping()).rejects.toThrow(QueueUnavailable);
      await expect(queue.consume('chunk', 1, async () => {})).rejects.toThrow(QueueUnavailable);
    });

    describe('when the store goes away', () => {
      afterEach(() => store.bringBack());

      it('says so in bounded time, and works again afterwards', async () => {
        const fresh = open({ timings: BRISK });
        await queue.add([chunk(1)]);
        await store.takeAway();
        for (const each of [queue, fresh]) {
          for (const call of [() => each.ping(), () => each.counts('chunk'), () => each.add([chunk(2)])]) {
            const startedAt = performance.now();
            await expect(call()).rejects.toThrow(QueueUnavailable);
            expect(performance.now() - startedAt).toBeLessThan(3_000);
          }
        }
        await store.bringBack();
        for (const each of [queue, fresh]) {
          await vi.waitFor(() => each.ping(), PATIENCE);
          await each.add([chunk(3)]);
        }
        expect((await queue.counts('chunk')).waiting).toBeGreaterThanOrEqual(1);
      });

      it('notices, warns once, and consumes again when it is back', async () => {
        const seen: number[] = [];
        const consumer = await collect(queue, seen);
        await queue.add([chunk(1)]);
        await vi.waitFor(() => expect(seen).toEqual([1]), PATIENCE);
        expect(consumer.consuming).toBe(true);
        await store.takeAway();
        await vi.waitFor(() => expect(consumer.consuming).toBe(false), PATIENCE);
        await store.bringBack();
        await vi.waitFor(() => expect(consumer.consuming).toBe(true), PATIENCE);
        await vi.waitFor(() => queue.add([chunk(2)]), PATIENCE);
        await vi.waitFor(() => expect(seen).toContain(2), PATIENCE);
        const told = store.warnings().filter((line) => line.startsWith('chunk: queue '));
        expect(told.map((line) => line.split(':')[1]?.slice(0, 12))).toEqual([' queue lost', ' queue found']);
      });

      it('starts to consume later when it was away at the start', async () => {
        await store.takeAway();
        const seen: number[] = [];
        const consumer = await collect(queue, seen);
        expect(consumer.consuming).toBe(false);
        await store.bringBack();
        await vi.waitFor(() => expect(consumer.consuming).toBe(true), PATIENCE);
        await vi.waitFor(() => queue.add([chunk(4)]), PATIENCE);
        await vi.waitFor(() => expect(seen).toEqual([4]), PATIENCE);
      });

      it('lets a handler that was running finish, and goes on', async () => {
        const door = gate();
        const seen: number[] = [];
        const consumer = await queue.consume('chunk', 1, async ({ index }) => {
          if (index === 0) await door.opened;
          seen.push(index);
        });
        await queue.add([chunk(0)]);
        await vi.waitFor(async () => expect((await queue.counts('chunk')).active).toBe(1), PATIENCE);
        await store.takeAway();
        await vi.waitFor(() => expect(consumer.consuming).toBe(false), PATIENCE);
        door.open();
        await vi.waitFor(() => expect(seen).toEqual([0]), PATIENCE);
        await store.bringBack();
        await vi.waitFor(() => queue.add([chunk(9)]), PATIENCE);
        await vi.waitFor(() => expect(seen).toContain(9), PATIENCE);
      });

      it('closes in bounded time', async () => {
        const consumer = await collect(queue, []);
        await queue.add([chunk(1)]);
        await store.takeAway();
        const startedAt = performance.now();
        await consumer.close(100);
        await queue.close();
        expect(performance.now() - startedAt).toBeLessThan(15_000);
      });
    });
  });
}
