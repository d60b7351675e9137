import { type DynamicModule, Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { JOB_QUEUE, JOBS_OPTIONS, type JobsOptions } from './jobs-options.js';
import { Relay } from './outbox/relay.service.js';
import { createJobQueue } from './queue/create-job-queue.js';
import type { JobQueue } from './queue/job-queue.js';

/** The queue and the outbox relay of the process. The queue closes after everything that uses it has stopped. */
@Module({})
export class JobsModule implements OnApplicationShutdown {
  constructor(@Inject(JOB_QUEUE) private readonly queue: JobQueue) {}

  static forRoot(options: JobsOptions): DynamicModule {
    return {
      module: JobsModule,
      global: true,
      providers: [
        { provide: JOBS_OPTIONS, useValue: options },
        { provide: JOB_QUEUE, useFactory: () => createJobQueue(options.queue) },
        Relay,
      ],
      exports: [JOB_QUEUE, Relay],
    };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.queue.close();
  }
}
