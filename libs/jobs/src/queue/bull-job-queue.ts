import { Queue, type IQueueBackend } from 'bullmq';
import { BullConsumer } from './bull-consumer.js';
import type { BullBackend } from './bull-backend.js';
import { withTimeout } from './with-timeout.js';
import { assertQueueMessageId } from './queue-message-id.js';
import { QueueMessageRunner } from './queue-message-runner.js';
import {
  type Consumer,
  type QueueMessage,
  type QueueMessageHandler,
  type JobQueue,
  type QueueCounts,
  QueueUnavailableError,
} from './job-queue.js';
import type { OutageLog } from './outage-log.js';
import type { QueueMessageReport, QueueLogger, QueueTimings } from './queue-options.js';
import { QUEUE_NAMES, type QueueName } from './queues.js';

const BATCH = 500;
const MAX_STORED_EVENTS = 256;
const BULL_JOB_OPTIONS = { attempts: 1, removeOnComplete: true, removeOnFail: true } as const;

type Producer<C> = Queue<unknown, void, string, unknown, void, string, IQueueBackend, C>;

interface BullQueueDependencies {
  timings: QueueTimings;
  logger: QueueLogger;
  outage: OutageLog;
  onMessageHandled?: ((report: QueueMessageReport) => void) | undefined;
}

/** The queue port over BullMQ, whichever store is behind it. Connects at its first use. */
export class BullJobQueue<C> implements JobQueue {
  private readonly producers = new Map<QueueName, Promise<Producer<C>>>();
  private readonly consumers = new Set<Consumer>();
  private closing: Promise<void> | undefined;

  constructor(
    private readonly backend: BullBackend<C>,
    private readonly dependencies: BullQueueDependencies,
  ) {}

  get kind(): JobQueue['kind'] {
    return this.backend.kind;
  }

  async add(messages: QueueMessage[]): Promise<void> {
    for (const { id } of messages) assertQueueMessageId(id);
    for (const queue of QUEUE_NAMES) {
      const all = messages.filter((delivery) => delivery.queue === queue);
      for (let from = 0; from < all.length; from += BATCH) {
        const batch = all.slice(from, from + BATCH);
        await this.callWithTimeout(`add to ${queue}`, async () => {
          const producer = await this.getProducer(queue);
          await producer.addBulk(
            batch.map(({ id, payload }) => ({
              name: queue,
              data: payload,
              opts: { ...BULL_JOB_OPTIONS, jobId: id },
            })),
          );
        });
      }
    }
  }

  async consume<N extends QueueName>(
    queue: N,
    concurrency: number,
    handler: QueueMessageHandler<N>,
  ): Promise<Consumer> {
    this.assertOpen();
    const { logger, onMessageHandled, timings } = this.dependencies;
    const runner = new QueueMessageRunner(
      queue,
      handler as QueueMessageHandler<QueueName> as never,
      logger,
      onMessageHandled,
    );
    const consumer = new BullConsumer(queue, concurrency, runner, this.backend, timings, logger);
    this.consumers.add(consumer);
    await consumer.open();
    return consumer;
  }

  async counts(queue: QueueName): Promise<QueueCounts> {
    return this.callWithTimeout(`count ${queue}`, async () => {
      const found = await (await this.getProducer(queue)).getJobCounts('waiting', 'active');
      return { waiting: found['waiting'] ?? 0, active: found['active'] ?? 0 };
    });
  }

  async ping(): Promise<void> {
    await this.callWithTimeout('ping', () => this.backend.ping());
  }

  close(): Promise<void> {
    this.closing ??= this.shutDown();
    return this.closing;
  }

  private async callWithTimeout<T>(what: string, work: () => Promise<T>): Promise<T> {
    this.assertOpen();
    try {
      const result = await withTimeout(this.dependencies.timings.callTimeoutMs, what, work);
      this.dependencies.outage.reportRecovered();
      return result;
    } catch (error) {
      this.dependencies.outage.reportDown(error);
      throw error;
    }
  }

  private assertOpen(): void {
    if (this.closing) throw new QueueUnavailableError('the queue is closed');
  }

  private getProducer(queue: QueueName): Promise<Producer<C>> {
    const known = this.producers.get(queue);
    if (known) return known;
    const opening = this.openProducer(queue);
    this.producers.set(queue, opening);
    opening.catch(() => this.producers.delete(queue));
    return opening;
  }

  /** BullMQ remembers a first connection that failed and never tries it again: ask first, discard on failure. */
  private async openProducer(queue: QueueName): Promise<Producer<C>> {
    await this.backend.ping();
    const { producer: connection, prefix, factory } = this.backend;
    const options = { connection, prefix, streams: { events: { maxLen: MAX_STORED_EVENTS } } };
    const producer: Producer<C> = new Queue(queue, options, factory);
    producer.on('error', (error) => this.dependencies.outage.reportError(error));
    try {
      await withTimeout(this.dependencies.timings.callTimeoutMs, queue, () => producer.waitUntilReady());
      return producer;
    } catch (error) {
      void producer.close().catch(() => {});
      throw error;
    }
  }

  private async shutDown(): Promise<void> {
    await Promise.allSettled([...this.consumers].map((consumer) => consumer.close(0)));
    const { callTimeoutMs: call } = this.dependencies.timings;
    const producers = [...this.producers.values()].map(async (opening) => (await opening).close());
    await withTimeout(call, 'close', () => Promise.allSettled(producers)).catch(() => {});
    await withTimeout(call, 'close', () => this.backend.close()).catch(() => {});
  }
}
