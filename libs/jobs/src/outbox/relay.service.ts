import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { JOB_QUEUE, JOBS_OPTIONS, type JobsOptions } from '../jobs-options.js';
import type { JobQueue } from '../queue/job-queue.js';
import { Loop } from './loop.js';
import { relayOnce } from './relay.js';

/** Relays the outbox in this process: at once after a commit that nudges it, and every so often by itself. */
@Injectable()
export class Relay implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly loop: Loop;

  constructor(
    dataSource: DataSource,
    @Inject(JOB_QUEUE) queue: JobQueue,
    @Inject(JOBS_OPTIONS) options: JobsOptions,
  ) {
    this.loop = new Loop({
      name: 'outbox relay',
      intervalMs: options.relayIntervalMs,
      pass: async () => (await relayOnce(dataSource, queue)) > 0,
      logger: options.logger,
    });
  }

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  /** To be called after a commit that owed something to the queue. */
  nudge(): void {
    this.loop.nudge();
  }

  async onModuleDestroy(): Promise<void> {
    await this.loop.stop();
  }
}
