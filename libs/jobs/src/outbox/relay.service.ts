import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { JOBS_OPTIONS, type JobsOptions } from '../jobs-options.js';
import { JobQueue } from '../queue/job-queue.js';
import { PollingLoop } from './polling-loop.js';
import { relayBatch } from './relay.js';

/** Relays the outbox in this process: at once when woken after a commit, and at every interval. */
@Injectable()
export class Relay implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly loop: PollingLoop;

  constructor(
    dataSource: DataSource,
    @Inject(JobQueue) queue: Pick<JobQueue, 'add'>,
    @Inject(JOBS_OPTIONS) options: JobsOptions,
  ) {
    this.loop = new PollingLoop({
      name: 'outbox relay',
      intervalMs: options.relayIntervalMs,
      tick: async () => (await relayBatch(dataSource, queue)) > 0,
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
