import { PollingLoop } from '@app/async';
import { inTransaction } from '@app/database';
import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import {
  QUEUE_AND_OUTBOX_MODULE_OPTIONS_TOKEN,
  type QueueAndOutboxModuleOptions,
} from '../queue-and-outbox-module-options.js';
import { StageQueues } from '../queue/stage-queues.js';
import {
  runTransactionReturningMessages,
  deleteOutboxMessages,
  deleteSentMessagesAndCheckForDue,
  lockDueOutboxMessages,
  type OutboxMessage,
} from './outbox.repository.js';

/** The process that wrote a message sends and deletes it within this time, or another process sends it. */
const MIN_AGE_SECONDS = 2;

/**
 * Sends the messages that this process has committed at once, from memory, and deletes their rows later, many at a time.
 * At every interval it sends what is left in the outbox: messages of processes that died, delayed ones, and those that
 * the queue rejected.
 */
@Injectable()
export class OutboxRelay implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly loop: PollingLoop;
  private committed: OutboxMessage[] = [];
  /** Ids of rows that are still to be deleted. */
  private sent: number[] = [];
  private isWoken = false;
  private nextPollAt = 0;

  constructor(
    private readonly dataSource: DataSource,
    @Inject(StageQueues) private readonly queue: Pick<StageQueues, 'add'>,
    @Inject(QUEUE_AND_OUTBOX_MODULE_OPTIONS_TOKEN) private readonly options: QueueAndOutboxModuleOptions,
  ) {
    this.loop = new PollingLoop({
      name: 'outbox relay',
      intervalMs: options.relayIntervalMs,
      tick: () => this.tick(),
      logger: options.logger,
    });
  }

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  /** Runs the work in a transaction and sends the messages that it has written. */
  async inTransaction<T>(work: (tx: EntityManager) => Promise<T>): Promise<T> {
    const { result, messages } = await runTransactionReturningMessages(this.dataSource, work);
    this.send(messages);
    return result;
  }

  /** @param messages whose transaction this process has committed */
  send(messages: readonly OutboxMessage[]): void {
    if (messages.length === 0) return;
    this.committed.push(...messages);
    this.loop.wake();
  }

  /** Sends all messages in the outbox that are due. Call it after a commit whose messages are not at hand. */
  wake(): void {
    this.isWoken = true;
    this.loop.wake();
  }

  async onModuleDestroy(): Promise<void> {
    await this.loop.stop();
    // The next process would send them again.
    await this.tick().catch(() => undefined);
  }

  private async tick(): Promise<boolean> {
    const { dataSource, queue } = this;
    if (this.committed.length > 0) {
      const messages = this.committed;
      // After an error they are only in the outbox.
      this.committed = [];
      await addToQueue(queue, messages);
      this.sent.push(...messages.map(({ id }) => id));
    }
    const minAgeSeconds = this.isWoken ? 0 : MIN_AGE_SECONDS;
    if (!this.isWoken && this.sent.length < BATCH && performance.now() < this.nextPollAt)
      return this.committed.length > 0;
    this.isWoken = false;
    this.nextPollAt = performance.now() + this.options.relayIntervalMs;
    const isAnyDue = await deleteSentMessagesAndCheckForDue(dataSource, this.sent, minAgeSeconds);
    this.sent = [];
    const isBatchFull = isAnyDue && (await relayOutboxBatch(dataSource, queue, minAgeSeconds)) === BATCH;
    if (isBatchFull) this.nextPollAt = 0;
    return isBatchFull || this.committed.length > 0;
  }
}

const BATCH = 200;

/**
 * Adds messages before it deletes their rows; after a crash in between, the queue ignores the repeated ids.
 * Concurrent relays share the rows by SKIP LOCKED.
 * @returns the number of messages; a full batch means there may be more
 */
export async function relayOutboxBatch(
  dataSource: DataSource,
  queue: Pick<StageQueues, 'add'>,
  minAgeSeconds = 0,
): Promise<number> {
  return inTransaction(dataSource, async (tx) => {
    const rows = await lockDueOutboxMessages(tx, BATCH, minAgeSeconds);
    if (rows.length === 0) return 0;
    await addToQueue(queue, rows);
    await deleteOutboxMessages(
      tx,
      rows.map(({ id }) => id),
    );
    return rows.length;
  });
}

async function addToQueue(
  queue: Pick<StageQueues, 'add'>,
  messages: readonly OutboxMessage[],
): Promise<void> {
  await queue.add(messages.map(({ queue: name, messageId: id, payload }) => ({ queue: name, id, payload })));
}
