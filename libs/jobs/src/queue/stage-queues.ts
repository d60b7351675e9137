import { InjectQueue } from '@nestjs/bullmq';
import { Injectable } from '@nestjs/common';
import { assertQueueMessageId, type QueueMessageCounts, type QueueMessage } from './queue-message.js';
import { QueueServerConnection } from './queue-server-connection.js';
import { QUEUE_NAMES, type QueueName } from './queues.js';
import { ReconnectingQueue } from './reconnecting-queue.js';

const BATCH = 500;

/**
 * Messages may arrive late, twice or never: rows in Postgres decide. Every method throws
 * `QueueUnavailableError` within a bounded time if the server is unavailable.
 */
@Injectable()
export class StageQueues {
  private readonly queues: Record<QueueName, ReconnectingQueue>;

  constructor(
    private readonly server: QueueServerConnection,
    @InjectQueue('fetch') fetch: ReconnectingQueue,
    @InjectQueue('preprocess') preprocess: ReconnectingQueue,
    @InjectQueue('chunk') chunk: ReconnectingQueue,
    @InjectQueue('aggregation') aggregation: ReconnectingQueue,
  ) {
    this.queues = { fetch, preprocess, chunk, aggregation };
  }

  get kind(): 'postgres' | 'redis' {
    return this.server.options.kind;
  }

  /** Ignores an id that is already in the queue. @throws TypeError for an invalid id */
  async add(messages: QueueMessage[]): Promise<void> {
    for (const { id } of messages) assertQueueMessageId(id);
    for (const name of QUEUE_NAMES) {
      const ofQueue = messages.filter(({ queue }) => queue === name);
      for (let from = 0; from < ofQueue.length; from += BATCH) {
        const batch = ofQueue.slice(from, from + BATCH);
        const jobs = batch.map(({ id, payload }) => ({ name, data: payload, opts: { jobId: id } }));
        await this.call(`add to ${name}`, name, (queue) => queue.addBulk(jobs));
      }
    }
  }

  async counts(name: QueueName): Promise<QueueMessageCounts> {
    const counts = await this.call(`count ${name}`, name, (queue) => queue.getJobCounts('waiting', 'active'));
    return { waiting: counts['waiting'] ?? 0, active: counts['active'] ?? 0 };
  }

  async ping(): Promise<void> {
    await this.server.call('ping', () => this.server.probe());
  }

  private call<T>(operation: string, name: QueueName, work: (queue: ReconnectingQueue) => Promise<T>) {
    const queue = this.queues[name];
    return this.server.call(operation, async () => {
      await queue.connect();
      return work(queue);
    });
  }
}
