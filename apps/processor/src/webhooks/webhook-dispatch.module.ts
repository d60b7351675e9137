import { type DynamicModule, Module } from '@nestjs/common';
import {
  WEBHOOK_DISPATCH_OPTIONS,
  type WebhookDispatchOptions,
  WebhookDispatchService,
} from './webhook-dispatch.service.js';

/** Requires the modules of database, object store and webhooks. */
@Module({})
export class WebhookDispatchModule {
  static forRoot(options: WebhookDispatchOptions): DynamicModule {
    return {
      module: WebhookDispatchModule,
      providers: [{ provide: WEBHOOK_DISPATCH_OPTIONS, useValue: options }, WebhookDispatchService],
      exports: [WebhookDispatchService],
    };
  }
}
