import { type DynamicModule, Module } from '@nestjs/common';
import { JOBS_OPTIONS, type JobsOptions } from './jobs-options.js';
import { Relay } from './outbox/relay.service.js';
import { QueueModule } from './queue/queue.module.js';

/** The queues and the outbox relay of the process. */
@Module({})
export class JobsModule {
  static forRoot(options: JobsOptions): DynamicModule {
    return {
      module: JobsModule,
      global: true,
      imports: [QueueModule.forRoot(options.queue)],
      providers: [{ provide: JOBS_OPTIONS, useValue: options }, Relay],
      exports: [QueueModule, Relay],
    };
  }
}
