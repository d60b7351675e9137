import { afterEach, beforeEach } from 'vitest';
import type { StageQueues } from './stage-queues.js';
import type { QueueConsumer } from './queue-consumer.js';
import type { QueueHandlerOutcome, QueueMessage, QueueMessageReport } from './queue-message.js';
import type { QueueTimings } from './queue-options.js';
import type { QueueName, QueuePayloads } from './queues.js';

export interface TestQueueOptions {
  timings?: Partial<QueueTimings>;
  onMessageHandled?: (report: QueueMessageReport) => void;
}

export type QueueHandler<N extends QueueName> = (
  payload: QueuePayloads[N],
  signal: AbortSignal,
) => Promise<QueueHandlerOutcome | void>;

export type TestConsumer = Pick<QueueConsumer, 'isConsuming' | 'checkHeartbeat' | 'close'>;

export interface QueueUnderTest extends Pick<StageQueues, 'add' | 'counts' | 'ping'> {
  /** By a `@Processor` host in a program of its own. */
  consume<N extends QueueName>(
    queue: N,
    concurrency: number,
    handler: QueueHandler<N>,
  ): Promise<TestConsumer>;
  /** Ends all its programs. */
  close(): Promise<void>;
}

/** A store for the contract suites, and the power to take it away. */
export interface TestQueueServer {
  open(options?: TestQueueOptions): QueueUnderTest;
  /** What the adapters opened since the last `clear` have warned of. */
  warnings(): string[];
  clear(): Promise<void>;
  /** Ends the store at once. */
  makeUnavailable(): Promise<void>;
  /** Undoes `makeUnavailable`; does nothing when the store is available. */
  makeAvailable(): Promise<void>;
  /** Stops the store in its tracks: connections stay open, nothing answers. */
  freeze(): Promise<void>;
  thaw(): Promise<void>;
  /** Another process takes one delivery of `chunk` and is killed with -9 while it handles it. */
  killConsumerWhileHandling(timings: Partial<QueueTimings>): Promise<void>;
}

/** Short enough to wait for; what is in hand is lost to nobody, however long the machine stands still. */
export const FAST_TIMINGS: Partial<QueueTimings> = {
  stalledCheckIntervalMs: 500,
  idlePollMs: 500,
  retryDelayMs: 100,
  abortGraceMs: 500,
};
/** For a consumer that is to be killed: short enough to see what it held come back. */
export const SHORT_LOCK_TIMINGS: Partial<QueueTimings> = { ...FAST_TIMINGS, lockDurationMs: 1_000 };
/** Milliseconds that a call may take, which has two seconds, where a machine stands still now and then. */
export const MAX_CALL_MS = 10_000;
export const WAIT_FOR_OPTIONS = { timeout: 20_000, interval: 20 };

export const buildChunkMessage = (index: number): QueueMessage<'chunk'> => ({
  queue: 'chunk',
  id: `job-chunk-${index}`,
  payload: { jobId: 'job', index },
});
export const buildChunkMessages = (count: number) => range(count).map(buildChunkMessage);
export const range = (count: number) => Array.from({ length: count }, (_, index) => index);
export const compareNumbers = (a: number, b: number) => a - b;

/** Handlers await `opened` until the test calls `open`. */
export function createGate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open: () => open(), opened };
}

/** Notes the index of every chunk that is delivered. */
export function consumeChunkIndexesInto(
  from: QueueUnderTest,
  into: number[],
  concurrency = 4,
): Promise<TestConsumer> {
  return from.consume('chunk', concurrency, async ({ index }) => void into.push(index));
}

/** Inside a `describe`: an empty store before each test, and everything that was opened closed after it. */
export function useTestQueueServer(getStore: () => TestQueueServer) {
  const opened: QueueUnderTest[] = [];
  const harness = {
    store: undefined as unknown as TestQueueServer,
    queue: undefined as unknown as QueueUnderTest,
    open: (options?: TestQueueOptions) => {
      const queue = harness.store.open(options);
      opened.push(queue);
      return queue;
    },
  };
  beforeEach(async () => {
    harness.store = getStore();
    await harness.store.clear();
    harness.queue = harness.open({ timings: FAST_TIMINGS });
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((each) => each.close()));
  });
  return harness;
}
