import { type DynamicModule, Module } from '@nestjs/common';
import {
  QUEUE_AND_OUTBOX_MODULE_OPTIONS_TOKEN,
  type QueueAndOutboxModuleOptions,
} from './queue-and-outbox-module-options.js';
import { OutboxRelay } from './outbox/outbox-relay.service.js';
import { QueueModule } from './queue/queue.module.js';

@Module({})
export class QueueAndOutboxModule {
  static forRoot(options: QueueAndOutboxModuleOptions): DynamicModule {
    return {
      module: QueueAndOutboxModule,
      global: true,
      imports: [QueueModule.forRoot(options.queue)],
      providers: [{ provide: QUEUE_AND_OUTBOX_MODULE_OPTIONS_TOKEN, useValue: options }, OutboxRelay],
      exports: [QueueModule, OutboxRelay],
    };
  }
}
