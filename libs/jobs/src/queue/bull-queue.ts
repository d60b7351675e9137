import { Queue, type IQueueBackend } from 'bullmq';
import { BullConsumer } from './bull-consumer.js';
import type { BullBackend } from './bull-backend.js';
import { within } from './bounded.js';
import { assertDeliveryId } from './delivery-id.js';
import { DeliveryRunner } from './delivery-runner.js';
import {
  type Consumer,
  type Delivery,
  type DeliveryHandler,
  type JobQueue,
  type QueueCounts,
  QueueUnavailable,
} from './job-queue.js';
import type { OutageLog } from './outage-log.js';
import type { DeliveryReport, QueueLogger, QueueTimings } from './queue-options.js';
import { QUEUE_NAMES, type QueueName } from './queues.js';

const BATCH = 500;
const KEPT_EVENTS = 256;
const JOB_OPTIONS = { attempts: 1, removeOnComplete: true, removeOnFail: true } as const;

type Producer<C> = Queue<unknown, void, string, unknown, void, string, IQueueBackend, C>;

interface BullQueueParts {
  timings: QueueTimings;
  logger: QueueLogger;
  outage: OutageLog;
  onDelivery?: ((report: DeliveryReport) => void) | undefined;
}

/** The queue port over BullMQ, whichever store is behind it. Connects at its first use. */
export class BullJobQueue<C> implements JobQueue {
  private readonly producers = new Map<QueueName, Promise<Producer<C>>>();
  private readonly consumers = new Set<Consumer>();
  private closing: Promise<void> | undefined;

  constructor(
    private readonly backend: BullBackend<C>,
    private readonly parts: BullQueueParts,
  ) {}

  get kind(): JobQueue['kind'] {
    return this.backend.kind;
  }

  async add(deliveries: Delivery[]): Promise<void> {
    for (const { id } of deliveries) assertDeliveryId(id);
    for (const queue of QUEUE_NAMES) {
      const all = deliveries.filter((delivery) => delivery.queue === queue);
      for (let from = 0; from < all.length; from += BATCH) {
        const batch = all.slice(from, from + BATCH);
        await this.bounded(`add to ${queue}`, async () => {
          const producer = await this.producer(queue);
          await producer.addBulk(
            batch.map(({ id, payload }) => ({
              name: queue,
              data: payload,
              opts: { ...JOB_OPTIONS, jobId: id },
            })),
          );
        });
      }
    }
  }

  async consume<N extends QueueName>(
    queue: N,
    concurrency: number,
    handler: DeliveryHandler<N>,
  ): Promise<Consumer> {
    this.assertOpen();
    const { logger, onDelivery, timings } = this.parts;
    const runner = new DeliveryRunner(
      queue,
      handler as DeliveryHandler<QueueName> as never,
      logger,
      onDelivery,
    );
    const consumer = new BullConsumer(queue, concurrency, runner, this.backend, timings, logger);
    this.consumers.add(consumer);
    await consumer.open();
    return consumer;
  }

  async counts(queue: QueueName): Promise<QueueCounts> {
    return this.bounded(`count ${queue}`, async () => {
      const found = await (await this.producer(queue)).getJobCounts('waiting', 'active');
      return { waiting: found['waiting'] ?? 0, active: found['active'] ?? 0 };
    });
  }

  async ping(): Promise<void> {
    await this.bounded('ping', () => this.backend.ping());
  }

  close(): Promise<void> {
    this.closing ??= this.shut();
    return this.closing;
  }

  private async bounded<T>(what: string, work: () => Promise<T>): Promise<T> {
    this.assertOpen();
    try {
      const result = await within(this.parts.timings.call, what, work);
      this.parts.outage.found();
      return result;
    } catch (error) {
      this.parts.outage.lost(error);
      throw error;
    }
  }

  private assertOpen(): void {
    if (this.closing) throw new QueueUnavailable('the queue is closed');
  }

  private producer(queue: QueueName): Promise<Producer<C>> {
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
    const options = { connection, prefix, streams: { events: { maxLen: KEPT_EVENTS } } };
    const producer: Producer<C> = new Queue(queue, options, factory);
    producer.on('error', (error) => this.parts.outage.trouble(error));
    try {
      await within(this.parts.timings.call, queue, () => producer.waitUntilReady());
      return producer;
    } catch (error) {
      void producer.close().catch(() => {});
      throw error;
    }
  }

  private async shut(): Promise<void> {
    await Promise.allSettled([...this.consumers].map((consumer) => consumer.close(0)));
    const { call } = this.parts.timings;
    const producers = [...this.producers.values()].map(async (opening) => (await opening).close());
    await within(call, 'close', () => Promise.allSettled(producers)).catch(() => {});
    await within(call, 'close', () => this.backend.close()).catch(() => {});
  }
}
