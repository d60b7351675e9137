import { PollingLoop } from '@app/async';
import { inTransaction } from '@app/database';
import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { JOBS_OPTIONS, type JobsOptions } from '../jobs-options.js';
import { JobQueue } from '../queue/job-queue.js';
import { deleteOutboxMessages, lockDueOutboxMessages } from './outbox.repository.js';

/** Relays at every interval, and at once when woken after a commit. */
@Injectable()
export class OutboxRelay implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly loop: PollingLoop;

  constructor(
    dataSource: DataSource,
    @Inject(JobQueue) queue: Pick<JobQueue, 'add'>,
    @Inject(JOBS_OPTIONS) options: JobsOptions,
  ) {
    this.loop = new PollingLoop({
      name: 'outbox relay',
      intervalMs: options.relayIntervalMs,
      tick: async () => (await relayOutboxBatch(dataSource, queue)) > 0,
      logger: options.logger,
    });
  }

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  /** Call it after a commit that wrote outbox messages. */
  wake(): void {
    this.loop.wake();
  }

  async onModuleDestroy(): Promise<void> {
    await this.loop.stop();
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
  queue: Pick<JobQueue, 'add'>,
): Promise<number> {
  return inTransaction(dataSource, async (tx) => {
    const rows = await lockDueOutboxMessages(tx, BATCH);
    if (rows.length === 0) return 0;
    await queue.add(rows.map((row) => ({ queue: row.queue, id: row.messageId, payload: row.payload })));
    await deleteOutboxMessages(
      tx,
      rows.map(({ id }) => id),
    );
    return rows.length;
  });
}
