import { type DynamicModule, Module } from '@nestjs/common';
import { WEBHOOK_DISPATCH_OPTIONS, type WebhookDispatchOptions } from './webhook-dispatch-options.js';
import { WebhookDispatchService } from './webhook-dispatch.service.js';

/** Requires the modules of the database, the object store and the webhooks library. */
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
