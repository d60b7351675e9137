import { type DynamicModule, Module } from '@nestjs/common';
import { JOBS_MODULE_OPTIONS_TOKEN, type JobsModuleOptions } from './jobs-module-options.js';
import { OutboxRelay } from './outbox/outbox-relay.service.js';
import { QueueModule } from './queue/queue.module.js';

@Module({})
export class JobsModule {
  static forRoot(options: JobsModuleOptions): DynamicModule {
    return {
      module: JobsModule,
      global: true,
      imports: [QueueModule.forRoot(options.queue)],
      providers: [{ provide: JOBS_MODULE_OPTIONS_TOKEN, useValue: options }, OutboxRelay],
      exports: [QueueModule, OutboxRelay],
    };
  }
}
